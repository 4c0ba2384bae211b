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

# tile_add_plain_library(NAME source... [LINK_LIBS lib...])
#   A static library without MLIR in sight (LLVMSupport at most).
function(tile_add_plain_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
endfunction()

# tile_add_library(NAME source... [LINK_LIBS lib...] [MLIR_LIBS lib...] [DEPENDS target...])
#   A static library on top of MLIR, compiled with the project's one PCH.
function(tile_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS;MLIR_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  add_dependencies(${name} tile-headers ${ARG_DEPENDS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(TILE_LINK_DYLIB)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
  else()
    target_link_libraries(${name} PUBLIC ${ARG_MLIR_LIBS})
  endif()
  if(TILE_USE_PCH)
    target_precompile_headers(${name} REUSE_FROM TilePCH)
  endif()
endfunction()

# tile_add_unittest(NAME source... [LINK_LIBS lib...])
#   A gtest binary, collected under the target `tile-unit-tests`.
function(tile_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest GTest::gtest_main)
  # A test runs where the bundle is unpacked, whatever C++ library is there.
  if(NOT TILE_LINK_DYLIB)
    target_link_options(${name} PRIVATE
      -Wl,--gc-sections -Wl,--as-needed -static-libstdc++ -static-libgcc -no-pie)
  endif()
  target_compile_definitions(${name} PRIVATE TILE_TEST_DIR="${PROJECT_SOURCE_DIR}/test")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unit)
  add_dependencies(tile-unit-tests ${name})
endfunction()
