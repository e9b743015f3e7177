# Device sheets become part of the library: ridge/cost/devices/*.sheet as text in one source.
#
# CMake writes it, so that building needs no other language. Run as a script, this file is the
# writer: cmake -DOUTPUT=... -DSHEETS=a.sheet,b.sheet -P RidgeSheets.cmake

function(ridge_write_sheets output sheets)
  set(entries "")
  foreach(sheet IN LISTS sheets)
    cmake_path(GET sheet FILENAME file)
    file(READ "${sheet}" text)
    # Compilers may limit the length of one literal, and a sheet is far below that.
    string(APPEND entries "    {\"${file}\", R\"RIDGE_SHEET(${text})RIDGE_SHEET\"},\n")
  endforeach()
  file(WRITE "${output}" "\
// Written by cmake/RidgeSheets.cmake from ridge/cost/devices: edit the sheets there.
#include \"ridge/cost/sheets.h\"

namespace ridge::cost {
namespace {

constexpr ShippedSheet kSheets[] = {
${entries}};

}  // namespace

std::span<const ShippedSheet> shipped_sheets() { return kSheets; }

}  // namespace ridge::cost
")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "," ";" sheets "${SHEETS}")
  ridge_write_sheets("${OUTPUT}" "${sheets}")
  return()
endif()

set(RIDGE_SHEETS_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

# ridge_embed_sheets(<target>): adds the source to the target; written again when a sheet changes,
# comes or goes.
function(ridge_embed_sheets target)
  file(GLOB sheets CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/ridge/cost/devices/*.sheet")
  set(output "${PROJECT_BINARY_DIR}/generated/shipped_sheets.cpp")
  list(JOIN sheets "," names)
  # The command holds the list of sheets, so a build tool runs it again when that changes.
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DSHEETS=${names}" -P "${RIDGE_SHEETS_SCRIPT}"
    DEPENDS ${sheets} "${RIDGE_SHEETS_SCRIPT}"
    COMMENT "Embedding device sheets"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
