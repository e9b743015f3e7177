#include "texts.h"

#include <algorithm>
#include <array>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheet.h"
#include "ridge/graph/graph.h"
#include "ridge/loop/loop.h"
#include "ridge/verify/repro_text.h"
#include "tokenizers.h"

namespace ridge::parsers {
namespace {

// Internal errors are for defects of Ridge, and text of others is none.
bool refuses(const Error& error) {
  const bool is_clear = error.code() != ErrorCode::internal && !error.expected().empty();
  if (!is_clear) throw Unclear(error.what());
  return false;
}

// `read` gives what the text prints as.
template <class Read>
bool reads(std::string_view text, Read read) {
  std::string printed;
  try {
    printed = read(text);
  } catch (const Error& error) {
    return refuses(error);
  }
  try {
    // Values are numbered anew when they are read, so the first text may differ from the second.
    const std::string again = read(printed);
    if (read(again) != again) throw Unclear(concat("printed text reads as another:\n", again));
  } catch (const Error& error) {
    throw Unclear(concat("printed text is refused: ", error.what(), "\n", printed));
  }
  return true;
}

// What stands behind the line `=== name`, up to the next such line.
std::string section(std::string_view text, std::string_view name) {
  const std::string title = concat("=== ", name, "\n");
  const size_t at = text.find(title);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + title.size());
  return std::string(rest.substr(0, rest.find("=== ")));
}

constexpr std::array kFormats = {
    Format{"graph", read_graph},         Format{"kernel", read_kernel},
    Format{"sheet", read_sheet},         Format{"reproduction", read_reproduction},
    Format{"tokenizer", read_tokenizer}, Format{"encode", read_encoded}};

}  // namespace

bool read_graph(std::string_view text) {
  return reads(text, [](std::string_view from) { return to_text(graph::read(from, "g.ir")); });
}

bool read_kernel(std::string_view text) {
  return reads(text, [](std::string_view from) { return to_text(loop::read(from, "k.loop")); });
}

bool read_sheet(std::string_view text) {
  return reads(text,
               [](std::string_view from) { return to_text(cost::parse_sheet(from, "d.sheet")); });
}

bool read_reproduction(std::string_view text) {
  const auto file = [&](const char* name) {
    return verify::ReproductionText::File{name, section(text, name)};
  };
  try {
    const verify::RecordedRun run = verify::parse_recorded_run({.graph = file("graph.ir"),
                                                                .inputs = file("inputs.ir"),
                                                                .strides = file("strides.txt"),
                                                                .budget = file("budget.txt")});
    const bool fits = run.inputs.empty() || run.inputs.size() == run.graph.inputs.size();
    if (!fits) throw Unclear("inputs that are not those of the graph");
    // Every element is in memory.
    for (const Tensor& input : run.inputs) verify::inputs_text(std::span(&input, 1));
  } catch (const Error& error) {
    return refuses(error);
  }
  return true;
}

std::span<const Format> formats() { return kFormats; }

const Format& find_format(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &Format::name);
  RIDGE_INTERNAL_CHECK(found != kFormats.end(), concat("no format ", name));
  return *found;
}

}  // namespace ridge::parsers
