# Files that become text inside the library, so that an installed Ridge needs no files: device sheets, CUDA
# sources that are compiled at run time, the device helpers of generated kernels.
#
# CMake writes the source, so that building needs no other language. Run as a script, this file is the writer:
#   cmake -DOUTPUT=out.cpp -DHEADER=ridge/x/y.h -DTYPE=ridge::x::Y -DFUNCTION=ys -DFILES=a.cu,b.cu
#         -P RidgeEmbedText.cmake
# writes ridge::x::ys(), which returns a span of Y{file name, text}; HEADER declares both.

function(ridge_write_texts)
  set(entries "")
  string(REPLACE "," ";" files "${FILES}")
  foreach(path IN LISTS files)
    cmake_path(GET path FILENAME file)
    file(READ "${path}" text)
    string(APPEND entries "    {\"${file}\", R\"RIDGE_TEXT(${text})RIDGE_TEXT\"},\n")
  endforeach()
  string(REGEX MATCH "^(.*)::([^:]*)$" unused "${TYPE}")
  file(WRITE "${OUTPUT}" "\
// Written by cmake/RidgeEmbedText.cmake: edit the files whose text this is.
#include \"${HEADER}\"

namespace ${CMAKE_MATCH_1} {
namespace {

constexpr ${CMAKE_MATCH_2} kTexts[] = {
${entries}};

}  // namespace

std::span<const ${CMAKE_MATCH_2}> ${FUNCTION}() { return kTexts; }

}  // namespace ${CMAKE_MATCH_1}
")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  ridge_write_texts()
  return()
endif()

set(RIDGE_EMBED_TEXT_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

# ridge_embed_texts(<function> HEADER <header> TYPE <type> FILES <pattern>...): sets `embedded` to the source
# with these texts. It is written again when a file changes, comes or goes.
function(ridge_embed_texts function)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;TYPE" "FILES")
  list(TRANSFORM arg_FILES PREPEND "${PROJECT_SOURCE_DIR}/")
  file(GLOB files CONFIGURE_DEPENDS ${arg_FILES})
  set(output "${PROJECT_BINARY_DIR}/generated/${function}.cpp")
  # The command holds the list of files, so a build tool runs it again when that changes.
  list(JOIN files "," names)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DHEADER=${arg_HEADER}" "-DTYPE=${arg_TYPE}"
            "-DFUNCTION=${function}" "-DFILES=${names}" -P "${RIDGE_EMBED_TEXT_SCRIPT}"
    DEPENDS ${files} "${RIDGE_EMBED_TEXT_SCRIPT}"
    COMMENT "Embedding the texts of ${function}"
    VERBATIM)
  set(embedded "${output}" PARENT_SCOPE)
endfunction()

# ridge_embed_texts_of(<layer>): sets `embedded` to the source with the texts of a layer, empty if it has none.
function(ridge_embed_texts_of layer)
  set(embedded "")
  if(layer STREQUAL cost)
    ridge_embed_texts(shipped_sheets HEADER ridge/cost/sheets.h
      TYPE ridge::cost::ShippedSheet FILES ridge/cost/devices/*.sheet)
  elseif(layer STREQUAL calibrate)
    ridge_embed_texts(cuda_texts HEADER ridge/calibrate/cuda_kernels.h
      TYPE ridge::calibrate::CudaText FILES bench/*.cu ridge/calibrate/*.cu)
  elseif(layer STREQUAL kernels)
    ridge_embed_texts(cuda_headers HEADER ridge/kernels/cuda_headers.h
      TYPE ridge::kernels::CudaHeader FILES ridge/kernels/cuda/*.cuh)
  endif()
  set(embedded "${embedded}" PARENT_SCOPE)
endfunction()
