# Sanitized tests inside a plain build (RIDGE_SANITIZED_TESTS): layers that work on memory are compiled
# a second time, with the address and undefined-behavior sanitizers. A test program then has their
# objects, the plain objects of the tests, and the plain library for the other layers, so that no test is
# compiled twice. `make check-all` has a build where everything is sanitized (preset asan).
#
# What is not seen: loads and stores in tests and in other layers. What those allocate, free, leak and
# pass to functions of the C library is checked like everything else.

set(RIDGE_SANITIZED_LAYERS base text expr core files dispatch reference autograd graph loop capture runtime
    execute linker eager verify driver)
# These evaluate and interpret element by element; the others are compiled without optimization.
set(RIDGE_SANITIZED_HOT_LAYERS base expr core reference loop)

# ridge_sanitized_layer(<folder> <source>...): objects ridge_<folder>_sanitized, if the layer is listed.
function(ridge_sanitized_layer name)
  if(NOT RIDGE_SANITIZED_TESTS OR NOT name IN_LIST RIDGE_SANITIZED_LAYERS)
    return()
  endif()
  if(RIDGE_SANITIZE)
    message(FATAL_ERROR "RIDGE_SANITIZED_TESTS is for a plain build; RIDGE_SANITIZE is `${RIDGE_SANITIZE}`")
  endif()
  set(plain ridge_${name})
  set(target ridge_${name}_sanitized)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${ARGN})
  foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
    set_property(TARGET ${target} PROPERTY ${property} "$<TARGET_PROPERTY:${plain},${property}>")
  endforeach()
  set(level 0)
  if(name IN_LIST RIDGE_SANITIZED_HOT_LAYERS)
    set(level 1)
  endif()
  # The plain build has shown the warnings.
  target_compile_options(${target} PRIVATE -O${level} -w -fsanitize=address,undefined
    -fno-sanitize=null,alignment,object-size,vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
  ridge_precompile(${target} sanitized_${level} <ridge/dispatch/call.h> <ridge/expr/simplify.h>
                   <ridge/ops/registry.h>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RIDGE_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  set_property(GLOBAL APPEND PROPERTY RIDGE_SANITIZED_OBJECTS $<TARGET_OBJECTS:${target}>)
endfunction()

# ridge_sanitized_program(<target> <objects>): a program of sanitized layers, the given objects and the
# library. Of an inline function that several objects have, the linker takes the first: a sanitized one.
# Of the library it takes nothing that an object has.
function(ridge_sanitized_program target objects)
  if(NOT TARGET ridge_sanitized_tests)
    add_custom_target(ridge_sanitized_tests)
  endif()
  get_property(layers GLOBAL PROPERTY RIDGE_SANITIZED_OBJECTS)
  add_executable(${target} EXCLUDE_FROM_ALL ${layers} ${objects})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  target_link_libraries(${target} PRIVATE ridge::ridge fmt::fmt)
  add_dependencies(ridge_sanitized_tests ${target})
endfunction()
