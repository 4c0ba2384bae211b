# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes Debian's MLIR archives link against LLVM's component archives.

# The exported MLIR targets name the shared library "LLVM" in their link
# interface whatever LLVM_LINK_LLVM_DYLIB says. Replaces it by the archives of
# the given components, so that the tools start without relocating libLLVM.so.
function(tile_use_static_llvm)
  llvm_map_components_to_libnames(libs ${ARGN})
  foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
    if(TARGET ${target})
      get_target_property(interface ${target} INTERFACE_LINK_LIBRARIES)
      if(interface)
        list(TRANSFORM interface REPLACE "^LLVM$" "${libs}")
        set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${interface}")
      endif()
    endif()
  endforeach()

  # LLVMSupport names shared compression libraries and z3; the static ones do.
  find_library(TILE_ZSTD_ARCHIVE libzstd.a REQUIRED)
  find_library(TILE_ZLIB_ARCHIVE libz.a REQUIRED)
  get_target_property(interface LLVMSupport INTERFACE_LINK_LIBRARIES)
  list(FILTER interface EXCLUDE REGEX "z3|zstd|ZLIB")
  list(APPEND interface ${TILE_ZSTD_ARCHIVE} ${TILE_ZLIB_ARCHIVE})
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${interface}")
endfunction()
