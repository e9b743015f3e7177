#include "ridge/verify/repro.h"

#include <filesystem>
#include <utility>

#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"

namespace ridge::verify {
namespace {

constexpr std::string_view kHowTo = "reproduce: ridge repro ";

std::filesystem::path next_folder(const std::string& name) {
  const std::filesystem::path parent = is_knob_set(Knob::dump)
                                           ? std::filesystem::path(knob_text(Knob::dump))
                                           : std::filesystem::temp_directory_path();
  return create_own_folder(parent, "ridge_repro_" + name);
}

// The folder being reproduced on this thread.
thread_local const std::string* reproduced_folder = nullptr;

}  // namespace

Reproducing::Reproducing(const std::string& folder)
    : outer_(std::exchange(reproduced_folder, &folder)) {}
Reproducing::~Reproducing() { reproduced_folder = outer_; }

bool is_reproducing() { return reproduced_folder != nullptr; }

std::string leave_reproduction(const graph::Graph& graph, const graph::GraphOptions& options,
                               const std::string& what, std::span<const Tensor> inputs) {
  if (reproduced_folder != nullptr) {
    return reproduced_folder->empty() ? "" : concat(kHowTo, *reproduced_folder);
  }
  std::filesystem::path folder;
  try {
    folder = next_folder(options.name);
    write_reproduction(folder, graph, options, inputs, what);
    return concat(kHowTo, folder.string());
  } catch (const std::exception& error) {
    std::error_code ignored;  // part of one reproduces nothing; if it cannot be removed, it stays
    if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
    // The failure itself matters more than what could not be written about it.
    return concat("no reproduction could be written: ", error.what());
  }
}

void reproducing(const graph::Graph& graph, const graph::GraphOptions& options,
                 std::span<const Tensor> inputs, const std::function<void()>& stages) {
  try {
    stages();
  } catch (const Error& error) {
    const bool is_left = error.hint().find(kHowTo) != std::string::npos;
    if (error.code() != ErrorCode::internal || is_left) throw;
    const std::string own_hint = error.hint().empty() ? "" : error.hint() + "; ";
    throw Error({.code = ErrorCode::internal,
                 .op = error.op(),
                 .expected = error.expected(),
                 .given = error.given(),
                 .hint = own_hint + leave_reproduction(graph, options, error.what(), inputs),
                 .where = error.where()});
  } catch (const std::exception& error) {
    throw Error({.code = ErrorCode::internal,
                 .op = options.name,
                 .expected = "a program",
                 .given = error.what(),
                 .hint = leave_reproduction(graph, options, error.what(), inputs)});
  }
}

bool reproduce(const std::string& folder, Trust trust, const Compile& compile) {
  const Reproduction kept = read_reproduction(folder);
  const RecordedKnobs knobs(kept.knobs, trust);
  const Reproducing current(folder);
  const std::unique_ptr<Candidate> compiled = compile(kept.graph, kept.options);
  if (kept.inputs.empty()) return false;
  std::vector<Tensor> inputs;
  std::vector<const Tensor*> given;
  for (size_t i = 0; i < kept.inputs.size(); ++i) {
    inputs.push_back(to_device(kept.inputs[i], kept.graph[kept.graph.inputs[i]].type.device));
  }
  for (const Tensor& input : inputs) given.push_back(&input);
  compiled->run(given);
  return true;
}

}  // namespace ridge::verify
