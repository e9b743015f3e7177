#include "ridge/codegen/cuda/prelude.h"

#include <algorithm>
#include <array>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::codegen::cuda {
namespace {

std::array<std::span<const Snippet>, 8> all_groups() {
  return {element_snippets(), integer_snippets(), math_snippets(),   trigonometry_snippets(),
          across_snippets(),  row_snippets(),     tensor_snippets(), stream_snippets()};
}

const Snippet& find(std::string_view name) {
  for (const std::span<const Snippet> group : all_groups()) {
    const auto found = std::ranges::find(group, name, &Snippet::name);
    if (found != group.end()) return *found;
  }
  RIDGE_INTERNAL_CHECK(false, concat("no device function ", name));
  return element_snippets()[0];
}

void add(std::string_view name, std::set<std::string_view>& names) {
  if (!names.insert(find(name).name).second) return;
  std::string_view needs = find(name).needs;
  while (!needs.empty()) {
    const size_t length = std::min(needs.find(' '), needs.size());
    add(needs.substr(0, length), names);
    needs.remove_prefix(std::min(length + 1, needs.size()));
  }
}

}  // namespace

std::string prelude_text(const std::set<std::string>& used) {
  std::set<std::string_view> names;
  for (const std::string& name : used) add(name, names);
  std::string machine, rest;
  for (const std::span<const Snippet> group : all_groups()) {
    for (const Snippet& snippet : group) {
      if (names.contains(snippet.name)) (snippet.is_machine ? machine : rest) += snippet.text;
    }
  }
  if (names.empty()) return "";
  if (!machine.empty()) {
    machine = concat("#ifdef RIDGE_ON_HOST  // how tests bring their own\nRIDGE_ON_HOST\n#else",
                     machine, "#endif\n");
  }
  return concat("namespace ridge {\n", machine, rest, "}  // namespace ridge\n");
}

}  // namespace ridge::codegen::cuda
