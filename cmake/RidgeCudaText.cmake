# CUDA sources that are compiled at run time become part of the library: one source with the text of
# each, and a function that finds it by its name.
#
# CMake writes it, so that building needs no other language. Run as a script, this file is the
# writer: cmake -DOUTPUT=... -DTEXTS=a.cu,b.cu -P RidgeCudaText.cmake

function(ridge_write_cuda_texts output texts)
  set(entries "")
  foreach(path IN LISTS texts)
    cmake_path(GET path FILENAME file)
    file(READ "${path}" text)
    string(APPEND entries "    {\"${file}\", R\"RIDGE_CUDA(${text})RIDGE_CUDA\"},\n")
  endforeach()
  file(WRITE "${output}" "\
// Written by cmake/RidgeCudaText.cmake from the .cu files of bench and ridge/calibrate.
#include \"ridge/calibrate/cuda_text.h\"

namespace ridge::calibrate {
namespace {

constexpr CudaText kCudaTexts[] = {
${entries}};

}  // namespace

std::span<const CudaText> cuda_texts() { return kCudaTexts; }

}  // namespace ridge::calibrate
")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "," ";" texts "${TEXTS}")
  ridge_write_cuda_texts("${OUTPUT}" "${texts}")
  return()
endif()

set(RIDGE_CUDA_TEXT_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

# ridge_embed_cuda_texts(<target>): adds the source to the target; written again when a text changes,
# comes or goes.
function(ridge_embed_cuda_texts target)
  file(GLOB texts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cu"
       "${PROJECT_SOURCE_DIR}/ridge/calibrate/*.cu")
  set(output "${PROJECT_BINARY_DIR}/generated/cuda_texts.cpp")
  list(JOIN texts "," names)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DTEXTS=${names}" -P "${RIDGE_CUDA_TEXT_SCRIPT}"
    DEPENDS ${texts} "${RIDGE_CUDA_TEXT_SCRIPT}"
    COMMENT "Embedding CUDA sources"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
