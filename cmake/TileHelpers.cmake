# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions that every CMakeLists.txt of the project uses to declare targets.

if(TILE_USE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TILE_CCACHE ccache)
  if(TILE_CCACHE)
    # A precompiled header is only a cache hit when its time stamps are ignored.
    set(launcher ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${TILE_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  endif()
endif()

# tile_export_headers(TARGET)
#   What links the target finds Tile's headers and those of MLIR and LLVM, in this
#   tree and in one around it. An installed target gets its folders from the package.
function(tile_export_headers name)
  target_include_directories(${name} INTERFACE
    ${PROJECT_SOURCE_DIR}/dialect ${PROJECT_BINARY_DIR}/dialect)
  if(NOT PROJECT_IS_TOP_LEVEL)
    target_include_directories(${name} SYSTEM INTERFACE
      ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  endif()
endfunction()

# tile_add_plain_library(NAME source... [LINK_LIBS lib...])
#   A static library without MLIR in sight (LLVMSupport at most).
function(tile_add_plain_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  tile_export_headers(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
endfunction()

# tile_add_pch(NAME HEADER [ON other])
#   A precompiled header that libraries share through tile_use_pch. With ON it only
#   adds HEADER to another one: it is made in seconds, takes 25 MB and not 200, and
#   a change of the dialect leaves the other as it is. Only clang stacks them; with
#   another compiler the name stands for the other one.
function(tile_add_pch name header)
  cmake_parse_arguments(ARG "" "ON" "" ${ARGN})
  set(clang FALSE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(clang TRUE)
  endif()
  if(ARG_ON AND NOT clang)
    set_property(GLOBAL PROPERTY TILE_PCH_${name} ${ARG_ON})
    return()
  endif()
  set_property(GLOBAL PROPERTY TILE_PCH_${name} ${name})
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/Pch.cpp)
  llvm_update_compile_flags(${name})
  target_precompile_headers(${name} PRIVATE ${header})
  if(clang)
    # Without time stamps in it, one from a cache is as good as one made here, and
    # all that was compiled with it is found in the cache as well.
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  if(ARG_ON)
    add_dependencies(${name} tile-headers)
    get_target_property(directory ${ARG_ON} BINARY_DIR)
    set(other ${directory}/CMakeFiles/${ARG_ON}.dir/cmake_pch.hxx.pch)
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -include-pch -Xclang ${other}")
    set_source_files_properties(
      ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir/cmake_pch.hxx.cxx
      PROPERTIES OBJECT_DEPENDS ${other})
  endif()
endfunction()

# tile_use_pch(TARGET NAME)
function(tile_use_pch target name)
  if(TILE_USE_PCH)
    get_property(pch GLOBAL PROPERTY TILE_PCH_${name})
    target_precompile_headers(${target} REUSE_FROM ${pch})
    # CMake compiles what goes into a program with -fPIE; the header has -fPIC.
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# tile_add_library(NAME source... [PCH name] [LINK_LIBS lib...] [MLIR_LIBS lib...]
#                  [DEPENDS target...])
#   A static library on top of MLIR, compiled with a precompiled header: TilePCH has
#   MLIR's headers; TileIRPCH also the dialect's, for those that include them.
function(tile_add_library name)
  cmake_parse_arguments(ARG "" "PCH" "LINK_LIBS;MLIR_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  tile_export_headers(${name})
  add_dependencies(${name} tile-headers ${ARG_DEPENDS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(TILE_LINK_DYLIB)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
  else()
    target_link_libraries(${name} PUBLIC ${ARG_MLIR_LIBS})
  endif()
  if(NOT ARG_PCH)
    set(ARG_PCH TilePCH)
  endif()
  tile_use_pch(${name} ${ARG_PCH})
endfunction()

# tile_add_unittest(NAME source... [PCH name] [LINK_LIBS lib...])
#   A gtest binary, collected under the target `tile-unit-tests`.
function(tile_add_unittest name)
  cmake_parse_arguments(ARG "" "PCH" "LINK_LIBS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  if(ARG_PCH)
    tile_use_pch(${name} ${ARG_PCH})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest GTest::gtest_main)
  # A test runs where the bundle is unpacked, whatever C++ library is there.
  if(NOT TILE_LINK_DYLIB)
    target_link_options(${name} PRIVATE
      -Wl,--gc-sections -Wl,--as-needed -static-libstdc++ -static-libgcc -no-pie)
  endif()
  target_compile_definitions(${name} PRIVATE TILE_TEST_DIR="${PROJECT_SOURCE_DIR}/test")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unit)
  add_dependencies(tile-unit-tests ${name})
endfunction()
