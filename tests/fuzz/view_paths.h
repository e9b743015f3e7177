// Runs a program of views eagerly and captured, and compares everything a caller can see: the values of
// results and of all memory, which results view which memory and where, and what the caller's tensors
// are afterwards.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tests/fuzz/paths.h"
#include "tests/fuzz/view_program.h"

namespace ridge::fuzz {

enum class ViewPath : uint8_t {
  replay,    // captured, through the passes, then op by op on the reference
  cpu,       // the plan for a CPU, in the loop interpreter
  gpu,       // the plan for a GPU, in the loop interpreter
  resized,   // one after the other in all its sizes, with symbols as `compile` has them; as replay
  compiled,  // `compile`, in all its sizes and once more: the last call hits
};
std::string_view name(ViewPath path);
std::optional<ViewPath> find_view_path(std::string_view name);

// Does it run eagerly at all? What is shrunk may not.
bool is_runnable(const ViewProgram& program);

// Empty, or what differs. `plant`: a defect for plans that are interpreted.
std::string run_on_path(const ViewProgram& program, ViewPath path, Plant plant = Plant::none);

}  // namespace ridge::fuzz
