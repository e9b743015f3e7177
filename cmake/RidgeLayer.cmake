# Targets of the library: one static library per folder of ridge/, one interface target over all.
#
# Sources are globbed, so adding a file needs no edit here: CONFIGURE_DEPENDS makes every build
# look again. A folder that does not exist yet makes no target; a layer above it links what the
# absent one would have linked.

# ridge_layer(<folder> [DEPENDS <folder>...])
function(ridge_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "DEPENDS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/ridge/${name}/*.cpp")
  if(NOT RIDGE_HAS_LLVM)
    list(FILTER sources EXCLUDE REGEX "${RIDGE_LLVM_SOURCES}")
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/ridge/${name}/*.h")
  ridge_embed_texts_of(${name})
  list(APPEND sources ${embedded})

  set(links "")
  foreach(below IN LISTS layer_DEPENDS)
    get_property(links_below GLOBAL PROPERTY RIDGE_LINKS_TO_${below})
    list(APPEND links ${links_below})
  endforeach()
  list(REMOVE_DUPLICATES links)
  if(NOT sources AND NOT headers)
    set_property(GLOBAL PROPERTY RIDGE_LINKS_TO_${name} ${links})
    return()
  endif()

  set(target ridge_${name})
  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources} ${headers})
    ridge_warnings(${target})
    if(name STREQUAL codegen AND RIDGE_HAS_LLVM)
      ridge_precompile(${target} codegen <llvm/IR/IRBuilder.h> <llvm/IR/Intrinsics.h>
                       <llvm/IR/Module.h> <ridge/expr/simplify.h> <ridge/loop/loop.h>)
    elseif(NOT name STREQUAL kernels)  # which is text alone
      # The headers that most layers include one way or another; what a layer may include is
      # checked by tools/check_layers, not by what happens to be there.
      ridge_precompile(${target} layers <ridge/dispatch/call.h> <ridge/expr/simplify.h>
                       <ridge/ops/registry.h>)
    endif()
    # fmt serves the sources only: public headers stay free of it, so its version is no part of
    # the interface.
    target_link_libraries(${target} PRIVATE fmt::fmt)
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(ridge::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")

  if(name STREQUAL base)
    target_link_libraries(${target} ${scope} Threads::Threads)
    # Here, so that every layer, and whoever links one, sees the same value.
    target_compile_definitions(${target} ${scope} RIDGE_HAS_LLVM=${RIDGE_HAS_LLVM})
  endif()
  if(name STREQUAL files)
    target_link_libraries(${target} PRIVATE ZLIB::ZLIB)  # npz files may be deflated
  endif()
  if(name STREQUAL text)
    ridge_link_utf8proc(${target})
  endif()
  if(name STREQUAL verify)
    # What an internal failure leaves behind says what it came from.
    set(llvm none)
    if(RIDGE_HAS_LLVM)
      set(llvm ${RIDGE_LLVM_VERSION})
    endif()
    target_compile_definitions(${target} PRIVATE
      "RIDGE_VERSION=\"${PROJECT_VERSION}\"" "RIDGE_LLVM_TEXT=\"${llvm}\"")
  endif()
  if(sources MATCHES "${RIDGE_LLVM_SOURCES}")
    ridge_link_llvm(${target})
  endif()
  target_link_libraries(${target} ${scope} ${links})
  # Several sources in one: most of what a file costs to compile is its headers.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RIDGE_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  ridge_sanitized_layer(${name} ${sources})
  set_property(GLOBAL PROPERTY RIDGE_LINKS_TO_${name} ${target})
  set_property(GLOBAL APPEND PROPERTY RIDGE_LAYERS ${target})
endfunction()

# ridge::ridge, what a user of the library links: every layer.
function(ridge_library)
  get_property(layers GLOBAL PROPERTY RIDGE_LAYERS)
  add_library(ridge_library INTERFACE)
  add_library(ridge::ridge ALIAS ridge_library)
  set_target_properties(ridge_library PROPERTIES EXPORT_NAME ridge)
  target_compile_features(ridge_library INTERFACE cxx_std_20)
  target_include_directories(ridge_library INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(ridge_library INTERFACE ${layers})
endfunction()

# The `ridge` command, from tools/ridge/.
function(ridge_command)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/ridge/*.cpp")
  if(NOT sources)
    return()
  endif()
  find_package(CLI11 REQUIRED)
  find_package(nlohmann_json REQUIRED)
  # What a user's program, compiled with optimization, pays for a call is measured in these. Of a
  # template or inline function that several files have, the linker takes the first: they come before
  # the library that the others are.
  set(optimized "${PROJECT_SOURCE_DIR}/tools/ridge/host_bench.cpp"
                "${PROJECT_SOURCE_DIR}/tools/ridge/gpu_bench_overhead.cpp")
  list(REMOVE_ITEM sources ${optimized})
  add_library(ridge_commands STATIC ${sources})
  target_compile_definitions(ridge_commands PRIVATE "RIDGE_VERSION=\"${PROJECT_VERSION}\"")
  # The time of other commands goes to the library; optimizing what prints it is build time lost.
  target_compile_options(ridge_commands PRIVATE -O0)
  # Not precompiled: what such headers leave to be instantiated, each file does again, three seconds
  # for those of commands. Eight files in one go pay for what they include once.
  set_target_properties(ridge_commands PROPERTIES
    UNITY_BUILD ${RIDGE_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  target_link_libraries(ridge_commands PUBLIC
    ridge::ridge fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
  add_executable(ridge ${optimized})
  target_compile_options(ridge PRIVATE -O2)
  target_link_libraries(ridge PRIVATE ridge_commands)
  ridge_warnings(ridge_commands)
  ridge_warnings(ridge)
endfunction()

# The `ridge-opt` command, from tools/ridge_opt/: passes over the text of a graph.
function(ridge_opt_command)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/ridge_opt/*.cpp")
  if(NOT sources)
    return()
  endif()
  find_package(CLI11 REQUIRED)
  add_executable(ridge-opt ${sources})
  target_compile_options(ridge-opt PRIVATE -O0)
  ridge_warnings(ridge-opt)
  target_link_libraries(ridge-opt PRIVATE ridge::ridge CLI11::CLI11)
endfunction()

# bench/NAME.cpp becomes bench_NAME.
function(ridge_benchmarks)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_executable(bench_${name} "${source}")
    ridge_warnings(bench_${name})
    target_link_libraries(bench_${name} PRIVATE ridge::ridge)
  endforeach()
endfunction()
