# Options of the build, and what holds for every target: language, output folders, sanitizers.

option(RIDGE_BUILD_TESTS "Build the tests and the lessons of docs/tour" ${PROJECT_IS_TOP_LEVEL})
option(RIDGE_BUILD_TOOLS "Build the `ridge` command" ${PROJECT_IS_TOP_LEVEL})
option(RIDGE_BUILD_BENCHMARKS "Build the benchmarks of bench/" OFF)
option(RIDGE_INSTALL "Generate the install rules and the CMake package" ${PROJECT_IS_TOP_LEVEL})
option(RIDGE_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
option(RIDGE_UNITY
       "Compile several sources in one go: half the time for a whole build" OFF)
set(RIDGE_SANITIZE "" CACHE STRING "Argument of -fsanitize=, for instance `address,undefined`")
option(RIDGE_SANITIZE_EVERY_ACCESS
       "With `undefined`, also check null and alignment at every access; doubles the build time" OFF)
set(RIDGE_TEST_KINDS "unit;ops;error;fault;parsers;threads;simulated;model;models;fuzz;golden;gpu;command;tour;examples;consumer;perf;lint" CACHE STRING
    "Folders of tests/ (and `tour`) to build and register")
option(RIDGE_SANITIZED_TESTS
       "Have target ridge_sanitized_tests: tests over sanitized layers in a plain build" OFF)

set(RIDGE_LLVM "AUTO" CACHE STRING
    "LLVM, which the CPU code generator needs: ON (required), OFF (never), AUTO (if found). Without \
it the CPU backend is the reference evaluator")
set_property(CACHE RIDGE_LLVM PROPERTY STRINGS AUTO ON OFF)
if(NOT RIDGE_LLVM MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "RIDGE_LLVM is `${RIDGE_LLVM}`; expected ON, OFF or AUTO")
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

  find_program(RIDGE_CCACHE ccache)
  mark_as_advanced(RIDGE_CCACHE)
  if(RIDGE_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # Sloppiness and the flag are what ccache asks for to work with precompiled headers; with a base
    # folder, another clone finds what this one compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
        CCACHE_NOHASHDIR=1 "${RIDGE_CCACHE}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
      add_compile_options(-fpch-preprocess)
    endif()
  endif()
endif()

# A tenth of the time of GCC goes to collecting garbage of a heap that starts out with a precompiled
# header; up to 1 GiB it need not.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-expand=1000" "SHELL:--param ggc-min-heapsize=1048576")
endif()

# Forty programs link the whole library: gold takes a quarter of the time that GNU ld does.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold RIDGE_HAS_GOLD)
  if(RIDGE_HAS_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()

# Lines of Ridge's own files, in dispatch tables and errors, name them from the root of the source.
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Nothing here is a C++20 module; scanning for them would only cost time.
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

if(RIDGE_SANITIZE)
  add_compile_options(-fsanitize=${RIDGE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  if(RIDGE_SANITIZE MATCHES "undefined" AND NOT RIDGE_SANITIZE_EVERY_ACCESS)
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
  # Clang looks for a type in front of each function that is called by its address; generated ones have none.
  if(RIDGE_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-fno-sanitize=function)
  endif()
  add_link_options(-fsanitize=${RIDGE_SANITIZE})
endif()

# Warnings are per target and private, so that a project which adds Ridge keeps its own.
function(ridge_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 reports these in inlined code of the standard library, where nothing is wrong; the
    # sanitizer builds find the real ones.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-maybe-uninitialized
      -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  if(RIDGE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Half the time to compile a file of usual size goes to the standard library's headers.
set(RIDGE_PRECOMPILED <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <mutex>
    <optional> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)

# ridge_precompile(<target> <group> [header...]): precompiled headers, built once for the targets of
# a group, which must share their compile flags. The dev preset builds without, so that a file which
# forgets an include is found there.
function(ridge_precompile target group)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    # As objects and libraries have it: a precompiled header is for -fPIC or for -fPIE.
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  get_property(first GLOBAL PROPERTY RIDGE_PRECOMPILED_${group})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${RIDGE_PRECOMPILED} ${ARGN})
    set_property(GLOBAL PROPERTY RIDGE_PRECOMPILED_${group} ${target})
  endif()
endfunction()
