# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` copies: tools, runtime, libraries, headers, the package.
#
# Components: Tools (the binary and its names), Runtime (libtile-rt.so and its
# header), Development (static libraries, headers, the CMake package).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(TILE_INSTALL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/tile)
set(TILE_MLIR_REQUIREMENT 22.1)
# The LLVM components that stand for libLLVM.so in the link interface of MLIR's
# archives: a consumer needs the same ones.
if(NOT TILE_LLVM_COMPONENTS)
  set(TILE_LLVM_COMPONENTS
    Support Core Passes NVPTX X86 Linker IRReader BitReader BitWriter Target
    TargetParser CodeGen Analysis)
endif()

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

tile_collect_libraries(libraries ${PROJECT_SOURCE_DIR}/lib)
tile_collect_libraries(runtime ${PROJECT_SOURCE_DIR}/runtime)
list(APPEND libraries ${runtime})

# An exported target must not name the source tree.
foreach(library IN LISTS libraries)
  get_target_property(directories ${library} INTERFACE_INCLUDE_DIRECTORIES)
  set(interface $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(directories)
    foreach(directory IN LISTS directories)
      list(APPEND interface $<BUILD_INTERFACE:${directory}>)
    endforeach()
  endif()
  set_target_properties(${library} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${interface}")
endforeach()

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
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/TileConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/TileConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/TileStaticLLVM.cmake
  DESTINATION ${TILE_INSTALL_CMAKE_DIR} COMPONENT Development)

foreach(tree ${PROJECT_SOURCE_DIR}/dialect/tile ${PROJECT_BINARY_DIR}/dialect/tile)
  install(DIRECTORY ${tree} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development
    FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td"
    PATTERN CMakeFiles EXCLUDE)
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/tile-rt
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Runtime)
install(TARGETS TileRuntimeShared
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Runtime)

install(TARGETS tile RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Tools)
foreach(name tile-opt tile-translate tile-run tile-bench tile-tune)
  install(FILES ${PROJECT_BINARY_DIR}/bin/${name}
    DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Tools OPTIONAL)
endforeach()
