#include "ridge/driver/repro_folder.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "ridge/base/dump.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/ops/view.h"
#include "ridge/reference/reference.h"

namespace ridge::driver {
namespace {

constexpr int64_t kMostInputBytes = int64_t{64} << 20;

// Knobs as the shell would set them; defaults left out.
std::string knobs_text() {
  std::string text;
  for (const KnobInfo& info : knob_table()) {
    if (is_knob_set(info.knob)) text += concat(info.name, "=", knob_text(info.knob), "\n");
  }
  return text;
}

// Of each input a line: its strides, or nothing where it is row-major. Those of tensors are numbers,
// where the program is for any.
std::string strides_text(const GraphOptions& options, std::span<const Tensor> inputs) {
  std::vector<std::optional<Shape>> all = options.input_strides;
  if (!inputs.empty()) all.clear();
  for (const Tensor& input : inputs) {
    all.push_back(input.is_contiguous() ? std::nullopt : std::optional(input.strides()));
  }
  std::string text;
  for (const std::optional<Shape>& strides : all) {
    if (strides) text += join(*strides, " ");
    text += "\n";
  }
  return text;
}

std::vector<std::optional<Shape>> read_strides(const std::string& text) {
  std::vector<std::optional<Shape>> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line);
    std::optional<Shape>& strides = result.emplace_back();
    for (int64_t stride = 0; numbers >> stride;) {
      if (!strides) strides.emplace();
      strides->push_back(stride);
    }
  }
  return result;
}

int64_t read_budget(const std::string& text) {
  int64_t bytes = 0;
  std::istringstream(text) >> bytes;
  return bytes;
}

std::string version_text() {
  return concat("ridge ", RIDGE_VERSION, ", LLVM ", RIDGE_LLVM_TEXT, "\n");
}

std::optional<std::string> content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

// Nothing where there are none, or too many to keep.
std::string inputs_text(std::span<const Tensor> inputs) {
  using dispatch::Key;
  const reference::UseReference by_reference;
  const dispatch::ExcludeKeys values_only({Key::trace, Key::autograd, Key::autocast, Key::profile});
  graph::Graph constants{.name = "inputs"};
  int64_t bytes = 0;
  for (const Tensor& input : inputs) {
    bytes += static_cast<int64_t>(bytes_for(input.dtype(), input.numel().value()));
    if (bytes > kMostInputBytes) return {};
    Tensor dense = contiguous(host_copy(input));
    dense.impl().is_weak = input.is_weak();
    constants.outputs.push_back(constants.add_constant(dense));
  }
  return inputs.empty() ? "" : to_text(constants);
}

// Elements that share memory are equal in the value, so they are written one by one.
Tensor with_strides(const Tensor& value, const Shape& strides) {
  const Shape& shape = value.shape();
  int64_t span = 1;
  for (size_t d = 0; d < shape.size(); ++d) span += (shape[d].value() - 1) * strides[d].value();
  const Tensor memory = Tensor::empty({std::max<int64_t>(span, 0)}, value.dtype());
  const auto bytes = static_cast<int64_t>(bytes_for(value.dtype(), 1));
  const auto* from = static_cast<const std::byte*>(value.raw_data());
  auto* to = static_cast<std::byte*>(memory.raw_data());
  for (int64_t element = 0; element < value.numel().value(); ++element) {
    int64_t rest = element, at = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      at += rest % shape[d].value() * strides[d].value();
      rest /= shape[d].value();
    }
    std::memcpy(to + at * bytes, from + element * bytes, static_cast<size_t>(bytes));
  }
  return Tensor::view_of(memory.impl().storage, shape, strides, 0, value.dtype());
}

std::vector<Tensor> read_inputs(const std::string& text, const GraphOptions& options) {
  if (text.empty()) return {};
  const graph::Graph constants = graph::parse(text);
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < constants.outputs.size(); ++i) {
    const Tensor& value = constants[constants.outputs[i]].constant;
    const bool has_strides = i < options.input_strides.size() && options.input_strides[i];
    inputs.push_back(has_strides ? with_strides(value, *options.input_strides[i])
                                 : host_copy(value));
  }
  return inputs;
}

}  // namespace

void write_reproduction(const std::filesystem::path& folder, const graph::Graph& graph,
                        const GraphOptions& options, std::span<const Tensor> inputs,
                        const std::string& what) {
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / "graph.ir", to_text(graph));
  write_file_atomically(folder / "strides.txt", strides_text(options, inputs));
  write_file_atomically(folder / "knobs.txt", knobs_text());
  write_file_atomically(folder / "version.txt", version_text());
  write_file_atomically(folder / "error.txt", what + "\n");
  if (options.memory_budget > 0) {
    write_file_atomically(folder / "budget.txt", concat(options.memory_budget, "\n"));
  }
  const std::string values = inputs_text(inputs);
  if (!values.empty()) write_file_atomically(folder / "inputs.ir", values);
}

Reproduction read_reproduction(const std::filesystem::path& path) {
  const bool is_folder = std::filesystem::is_directory(path);
  const std::filesystem::path folder = is_folder ? path : path.parent_path();
  const std::optional<std::string> text = content(is_folder ? path / "graph.ir" : path);
  RIDGE_CHECK(text.has_value(), .code = ErrorCode::io, .op = "repro",
              .expected = "a folder with a graph.ir in it", .given = path.string());
  const auto read = [&](const char* name) { return content(folder / name).value_or(""); };
  const std::string version = read("version.txt");
  if (!version.empty() && version != version_text()) {
    log(LogLevel::warning, "repro",
        concat("written by ", version.substr(0, version.find('\n')), ", read by ", version_text()));
  }
  const GraphOptions options{.name = "repro",
                             .input_strides = read_strides(read("strides.txt")),
                             .memory_budget = read_budget(read("budget.txt"))};
  return {graph::parse(*text), options, read_inputs(read("inputs.ir"), options), read("knobs.txt")};
}

RecordedKnobs::RecordedKnobs(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const Knob knob = find_knob(line.substr(0, equals)).knob;
    if (knob == Knob::dump || is_knob_set(knob)) continue;
    scopes_.push_back(std::make_unique<ScopedKnob>(knob, line.substr(equals + 1)));
  }
}

}  // namespace ridge::driver
