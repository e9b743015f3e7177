# LLVM, for the CPU code generator and the loader of its objects. Sets RIDGE_HAS_LLVM to 1 or 0.

# The sources that include LLVM's headers; left out of a build without it.
set(RIDGE_LLVM_SOURCES "/ridge/(codegen/llvm/|runtime/cpu/loader|calibrate/(probe_kernel|cpu_))")

set(RIDGE_LLVM_VERSIONS 22.1 21.1 20.1 19.1 CACHE STRING "LLVM versions to look for, the best first")

# LLVM's package answers to its own major.minor alone, so each one is asked for by name; where a
# distribution keeps several, they lie beside each other and not where CMake looks by itself.
set(RIDGE_HAS_LLVM 0)
if(NOT RIDGE_LLVM STREQUAL "OFF")
  foreach(version IN LISTS RIDGE_LLVM_VERSIONS)
    string(REGEX REPLACE "\\..*" "" major "${version}")
    find_package(LLVM ${version} CONFIG QUIET PATHS "/usr/lib/llvm-${major}")
    # Only the shared library will do: an installed Ridge stays small, and consumers link one file.
    if(LLVM_FOUND AND TARGET LLVM)
      set(RIDGE_HAS_LLVM 1)
      set(RIDGE_LLVM_VERSION ${version})
      set(RIDGE_LLVM_PLACES "/usr/lib/llvm-${major}")
      break()
    endif()
  endforeach()
  if(RIDGE_HAS_LLVM)
    message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} compiles CPU kernels")
  elseif(RIDGE_LLVM STREQUAL "ON")
    message(FATAL_ERROR "RIDGE_LLVM is ON, and no LLVM 19 to 22 with a shared library was found; \
install llvm-22-dev, or set LLVM_DIR")
  else()
    message(STATUS "no LLVM: the CPU backend is the reference evaluator")
  endif()
endif()

function(ridge_link_llvm target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(${target} PRIVATE LLVM)
endfunction()
