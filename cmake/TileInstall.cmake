# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` copies, and the CMake package of it and of the build tree.
#
# Components of the installation: Tools (the binary and its names), Runtime
# (libtile-rt, its header, its CMake targets and its pkg-config file), CAPI (the same
# of libtile, the compiler for C), Development (static libraries, headers, the targets
# for embedders).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(TILE_INSTALL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/tile)
set(TILE_MLIR_REQUIREMENT 22.1)

# tile_collect_libraries(RESULT DIRECTORY)
#   The static and interface libraries of a directory and of those below it.
function(tile_collect_libraries result directory)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(children DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  set(found)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND found ${target})
    endif()
  endforeach()
  foreach(child IN LISTS children)
    tile_collect_libraries(below ${child})
    list(APPEND found ${below})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# The bodies of the tools are no part of the contract.
tile_collect_libraries(libraries ${PROJECT_SOURCE_DIR}/lib)
foreach(directory Run Bench Compile)
  tile_collect_libraries(bodies ${PROJECT_SOURCE_DIR}/lib/${directory})
  list(REMOVE_ITEM libraries ${bodies})
endforeach()

# An exported target must not name the source tree.
foreach(library IN LISTS libraries ITEMS TileRuntime TileRuntimeShared TileC)
  get_target_property(directories ${library} INTERFACE_INCLUDE_DIRECTORIES)
  set(interface $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(directories)
    foreach(directory IN LISTS directories)
      list(APPEND interface $<BUILD_INTERFACE:${directory}>)
    endforeach()
  endif()
  set_target_properties(${library} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${interface}")
endforeach()

# The package: TileTargets for embedders of the compiler, TileRuntimeTargets for who
# launches kernels. A static library of the one may link the other.
install(TARGETS TileRuntime TileRuntimeShared EXPORT TileRuntimeTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Runtime
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Runtime)
install(EXPORT TileRuntimeTargets DESTINATION ${TILE_INSTALL_CMAKE_DIR} COMPONENT Runtime)
install(TARGETS TileC EXPORT TileCTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT CAPI)
install(EXPORT TileCTargets DESTINATION ${TILE_INSTALL_CMAKE_DIR} COMPONENT CAPI)
# TileJit links both, and is only there where both are.
list(REMOVE_ITEM libraries TileJit)
install(TARGETS TileJit EXPORT TileJitTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)
install(EXPORT TileJitTargets DESTINATION ${TILE_INSTALL_CMAKE_DIR} COMPONENT Development)
install(TARGETS ${libraries} EXPORT TileTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development)
install(EXPORT TileTargets DESTINATION ${TILE_INSTALL_CMAKE_DIR} COMPONENT Development)

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/TileConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/TileConfig.cmake
  INSTALL_DESTINATION ${TILE_INSTALL_CMAKE_DIR})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/TileConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(${PROJECT_SOURCE_DIR}/cmake/TileStaticLLVM.cmake
  ${PROJECT_BINARY_DIR}/cmake/TileStaticLLVM.cmake COPYONLY)
foreach(component Runtime CAPI)
  install(FILES
    ${PROJECT_BINARY_DIR}/cmake/TileConfig.cmake
    ${PROJECT_BINARY_DIR}/cmake/TileConfigVersion.cmake
    DESTINATION ${TILE_INSTALL_CMAKE_DIR} COMPONENT ${component})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/cmake/TileStaticLLVM.cmake
  DESTINATION ${TILE_INSTALL_CMAKE_DIR} COMPONENT Development)

# The same for -DTile_DIR=build/cmake, without an installation.
export(EXPORT TileRuntimeTargets FILE ${PROJECT_BINARY_DIR}/cmake/TileRuntimeTargets.cmake)
export(EXPORT TileCTargets FILE ${PROJECT_BINARY_DIR}/cmake/TileCTargets.cmake)
export(EXPORT TileTargets FILE ${PROJECT_BINARY_DIR}/cmake/TileTargets.cmake)
export(EXPORT TileJitTargets FILE ${PROJECT_BINARY_DIR}/cmake/TileJitTargets.cmake)

configure_file(${PROJECT_SOURCE_DIR}/cmake/tile-rt.pc.in
  ${PROJECT_BINARY_DIR}/cmake/tile-rt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/tile-rt.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT Runtime)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tile.pc.in
  ${PROJECT_BINARY_DIR}/cmake/tile.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/tile.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT CAPI)

# Headers: the contract, and of what is generated only declarations.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/dialect/tile
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td"
  PATTERN Run EXCLUDE PATTERN Bench EXCLUDE PATTERN Compile EXCLUDE)
install(DIRECTORY ${PROJECT_BINARY_DIR}/dialect/tile
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development
  FILES_MATCHING PATTERN "*.h.inc" PATTERN CMakeFiles EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/dialect/tile-c
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT CAPI)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/tile-rt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Runtime)

install(TARGETS tile RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Tools)
foreach(name IN LISTS TILE_TOOL_NAMES)
  install(FILES ${PROJECT_BINARY_DIR}/bin/${name}
    DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Tools OPTIONAL)
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/reference
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tile COMPONENT Development OPTIONAL)
