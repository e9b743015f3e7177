#include "ridge/verify/repro_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/shape.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/expr/text.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/symbols.h"
#include "ridge/ops/view.h"
#include "ridge/reference/reference.h"

namespace ridge::verify {
namespace {

using File = ReproductionText::File;

[[noreturn]] void refuse(const std::string& place, std::string expected, std::string given) {
  throw Error({.code = ErrorCode::parse,
               .op = place,
               .expected = std::move(expected),
               .given = std::move(given)});
}

// Of text that others wrote, as much as tells what is wrong.
std::string cut(const std::string& text) {
  constexpr size_t kMostShown = 300;
  return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "...";
}

// An error that leaves `read` becomes one of this place.
template <class Read>
auto at_place(const std::string& place, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    refuse(place, cut(error.expected()), cut(error.given()));
  }
}

using Symbols = std::map<std::string, expr::Expr, std::less<>>;

Symbols symbols_by_name(const graph::Graph& graph) {
  Symbols symbols;
  for (const auto& symbol : graph::symbols_of(graph)) {
    symbols.emplace(symbol->name(), expr::symbol(symbol));
  }
  return symbols;
}

// `8 * n, 1`: whole numbers and sizes of symbols.
Shape read_sizes(const std::string& place, std::string_view line, const Symbols& symbols) {
  const expr::ParseContext context{.symbol = [&](std::string_view name) {
    const auto found = symbols.find(name);
    return found != symbols.end() ? found->second : expr::Expr();
  }};
  Shape sizes;
  for (size_t at = 0; at < line.size();) {
    sizes.push_back(
        at_place(place, [&] { return Size(expr::parse_size_prefix(line, at, context)); }));
    at = std::min(line.find_first_not_of(' ', at), line.size());
    if (at < line.size() && line[at] == ',') ++at;
  }
  return sizes;
}

bool has_negative(const Shape& strides) {
  return std::ranges::any_of(strides, [](const Size& s) { return s.known().value_or(0) < 0; });
}

InputStrides read_strides(const File& file, const graph::Graph& graph) {
  InputStrides result;
  const Symbols symbols = symbols_by_name(graph);
  std::string_view rest = file.text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const size_t input = result.size();
    const std::string place = concat(file.name, ":", input + 1);
    if (input >= graph.inputs.size()) {
      refuse(place, concat("a line for each of ", graph.inputs.size(), " inputs"), "another line");
    }
    std::optional<Shape>& strides = result.emplace_back();
    if (line.find_first_not_of(" \r") == std::string_view::npos) continue;
    strides = read_sizes(place, line, symbols);
    const Shape& shape = graph[graph.inputs[input]].type.shape;
    if (strides->size() != shape.size() || has_negative(*strides)) {
      refuse(place, concat("strides >= 0, one for each dimension of ", to_text(shape)),
             to_text(*strides));
    }
  }
  return result;
}

int64_t read_budget(const File& file) {
  std::string_view text = file.text;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  if (text.empty()) return 0;
  int64_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, bytes);
  if (failure != std::errc() || stop != end || bytes < 0) {
    refuse(file.name + ":1", "a number of bytes, 0 or more", concat("`", text.substr(0, 80), "`"));
  }
  return bytes;
}

std::vector<Tensor> read_constants(const File& file) {
  const graph::Graph constants = graph::read(file.text, file.name);
  std::vector<Tensor> values;
  for (const graph::ValueId id : constants.outputs) {
    if (!constants[id].constant.defined()) {
      refuse(file.name, "a graph that returns constants", concat("%", id.index));
    }
    values.push_back(constants[id].constant);
  }
  return values;
}

// The graph and its strides for the sizes of these inputs, which must be of its types.
void bind_sizes(const std::string& place, RecordedRun& run) {
  RIDGE_CHECK(run.inputs.size() == run.graph.inputs.size(), .code = ErrorCode::parse, .op = place,
              .expected = concat(run.graph.inputs.size(), " inputs, as the graph has"),
              .given = concat(run.inputs.size()));
  const graph::SymbolSizes sizes =
      at_place(place, [&] { return graph::bind_symbols(run.graph, run.inputs); });
  for (std::optional<Shape>& strides : run.strides) {
    if (strides) strides = graph::substitute(*strides, sizes);
  }
  run.graph = graph::substitute(std::move(run.graph), sizes);
  // A size that stays open would fit any other (graph/control.cpp), so nothing would check it.
  for (const auto& symbol : graph::symbols_of(run.graph)) {
    refuse(place, concat("an input of size ", symbol->name(), " for this symbol of the graph"),
           "none");
  }
  at_place(place, [&] {
    graph::verify(run.graph);
    return 0;
  });
}

void set_strides(const std::string& place, RecordedRun& run) {
  for (size_t i = 0; i < run.strides.size(); ++i) {
    if (!run.strides[i]) continue;
    run.inputs[i] = at_place(concat(place, ":", i + 1),
                             [&] { return with_strides(run.inputs[i], *run.strides[i]); });
  }
}

}  // namespace

// Elements that share memory are equal in the value, so they are written one by one.
Tensor with_strides(const Tensor& value, const Shape& strides) {
  const Shape& shape = value.shape();
  RIDGE_CHECK(std::ranges::none_of(strides, &Size::is_symbolic), .code = ErrorCode::value,
              .expected = "strides that are known", .given = to_text(strides));
  RIDGE_CHECK(!has_negative(strides), .code = ErrorCode::value, .expected = "strides >= 0",
              .given = to_text(strides));
  RIDGE_CHECK(value.dtype().bits >= 8, .expected = "strides of whole bytes",
              .given = concat("elements of ", name(value.dtype())));
  const Tensor memory = Tensor::empty({extent(shape, strides, 0)}, value.dtype());
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
  Tensor result = Tensor::view_of(memory.impl().storage, shape, strides, 0, value.dtype());
  result.impl().is_weak = value.is_weak();
  return result;
}

RecordedRun parse_recorded_run(const ReproductionText& text) {
  RecordedRun run;
  run.graph = graph::read(text.graph.text, text.graph.name);
  run.memory_budget = read_budget(text.budget);
  run.strides = read_strides(text.strides, run.graph);
  if (text.inputs.text.empty()) return run;
  run.inputs = read_constants(text.inputs);
  bind_sizes(text.inputs.name, run);
  set_strides(text.strides.name, run);
  return run;
}

std::string strides_text(const InputStrides& strides) {
  std::string text;
  for (const std::optional<Shape>& one : strides) {
    text += one ? join(*one, ", ") + "\n" : "\n";
  }
  return text;
}

std::string strides_text(std::span<const Tensor> inputs) {
  InputStrides strides;
  for (const Tensor& input : inputs) {
    strides.push_back(input.is_contiguous() ? std::nullopt : std::optional(input.strides()));
  }
  return strides_text(strides);
}

std::string inputs_text(std::span<const Tensor> inputs) {
  using dispatch::Key;
  const reference::UseReference by_reference;
  const dispatch::ExcludeKeys values_only({Key::trace, Key::autograd, Key::autocast, Key::profile});
  graph::Graph constants{.name = "inputs"};
  for (const Tensor& input : inputs) {
    Tensor dense = contiguous(host_copy(input));
    dense.impl().is_weak = input.is_weak();
    constants.outputs.push_back(constants.add_constant(dense));
  }
  return to_text(constants);
}

}  // namespace ridge::verify
