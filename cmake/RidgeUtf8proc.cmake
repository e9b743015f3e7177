# utf8proc, for categories and normal forms of Unicode in ridge/text. It has no CMake package of its own in
# most distributions, so it is looked for by its header and its library, and linked by its plain name:
# the installed package must not remember where it was on the machine that built it.

find_path(RIDGE_UTF8PROC_INCLUDE_DIR utf8proc.h)
find_library(RIDGE_UTF8PROC_LIBRARY utf8proc)
mark_as_advanced(RIDGE_UTF8PROC_INCLUDE_DIR RIDGE_UTF8PROC_LIBRARY)
if(NOT RIDGE_UTF8PROC_INCLUDE_DIR OR NOT RIDGE_UTF8PROC_LIBRARY)
  message(FATAL_ERROR "utf8proc was not found; install libutf8proc-dev, or set CMAKE_PREFIX_PATH")
endif()

function(ridge_link_utf8proc target)
  cmake_path(GET RIDGE_UTF8PROC_LIBRARY PARENT_PATH folder)
  target_include_directories(${target} SYSTEM PRIVATE "${RIDGE_UTF8PROC_INCLUDE_DIR}")
  target_link_directories(${target} PUBLIC "$<BUILD_INTERFACE:${folder}>")
  target_link_libraries(${target} PRIVATE utf8proc)
endfunction()
