#include "ridge/driver/compile.h"

#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/driver/kernel_table.h"

namespace ridge::driver {

GraphOptions graph_options(const std::string& name, std::span<const Tensor* const> inputs) {
  GraphOptions options{.name = name, .input_strides = {}};
  for (const Tensor* input : inputs) {
    options.input_strides.push_back(input->is_contiguous() ? std::nullopt
                                                           : std::optional(input->strides()));
  }
  return options;
}

void check_same_capture(const Entry& entry, const capture::Captured& again, Location where) {
  if (graph::hash(again.graph) == entry.compiled->captured_hash()) return;
  throw Error({.code = ErrorCode::state,
               .op = entry.captured.graph.name,
               .expected = "the graph of the first call",
               .given = "another one for the same arguments",
               .hint = "the function reads something that is no argument and has changed",
               .where = where});
}

void log_compiled(const Entry& entry, const std::string& name, const std::string& why) {
  if (knob_int(Knob::debug) < 1) return;
  const Program* program = entry.compiled->program();
  const size_t kernels = program == nullptr ? 0 : program->kernel_count();
  show("compile", concat(name, ": ", entry.captured.graph.nodes.size(), " nodes captured, ",
                         kernels, " kernels, ", static_cast<int64_t>(entry.compiled->compile_ms()),
                         " ms", why.empty() ? "" : "; compiled again because " + why));
}

std::string kernel_table(const std::string& name,
                         const std::vector<std::shared_ptr<Entry>>& entries) {
  std::string text;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Program* program = entries[i]->compiled->program();
    const std::string which =
        entries.size() == 1 ? "" : concat(", program ", i + 1, " of ", entries.size());
    if (program == nullptr) {
      text += concat(name, which, ": no kernels, this build calls op by op\n");
    } else {
      text += concat("kernels of ", name, which, "\n", to_text(program->rows()));
    }
  }
  return text;
}

}  // namespace ridge::driver
