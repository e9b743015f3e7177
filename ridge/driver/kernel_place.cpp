#include "ridge/driver/kernel_place.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ridge/base/text.h"

namespace ridge::driver {
namespace {

// How many characters of the layers' names are the same, up to a dot.
size_t common_prefix(const std::vector<std::string>& scopes) {
  size_t length = scopes.front().size();
  for (const std::string& scope : scopes) {
    const auto differ =
        std::mismatch(scope.begin(), scope.end(), scopes.front().begin(), scopes.front().end());
    length = std::min(length, static_cast<size_t>(std::distance(scope.begin(), differ.first)));
  }
  const size_t dot = length == 0 ? std::string::npos : scopes.front().rfind('.', length - 1);
  return dot == std::string::npos ? 0 : dot + 1;
}

// Those that no other one is inside of: "block.0.mlp.up" says all that "block.0" does.
std::vector<std::string> innermost(const std::vector<std::string>& scopes) {
  std::vector<std::string> result;
  for (const std::string& scope : scopes) {
    const auto is_inside = [&](const std::string& other) { return other.starts_with(scope + "."); };
    if (std::ranges::none_of(scopes, is_inside)) result.push_back(scope);
  }
  return result;
}

// "block.0.{attention.output mlp_norm}": what the names share is written once.
std::string scopes_text(const std::vector<std::string>& all) {
  const std::vector<std::string> scopes = innermost(all);
  if (scopes.size() == 1) return scopes.front();
  const size_t shared = common_prefix(scopes);
  const std::string names =
      join(scopes, " ", [&](const std::string& scope) { return scope.substr(shared); });
  return shared == 0 ? names : concat(scopes.front().substr(0, shared), "{", names, "}");
}

// "demo_model.cpp:48,52": folders left out, and a file named once for all its lines.
std::string lines_text(const std::vector<std::string>& lines) {
  std::string text, last_file;
  for (const std::string& line : lines) {
    const size_t slash = line.rfind('/');
    const size_t name = slash == std::string::npos ? 0 : slash + 1;
    const size_t colon = line.rfind(':');
    if (colon == std::string::npos || colon < name) continue;
    const std::string file = line.substr(name, colon - name);
    if (file == last_file) {
      text += "," + line.substr(colon + 1);
    } else {
      text += (text.empty() ? "" : " ") + line.substr(name);
    }
    last_file = file;
  }
  return text;
}

}  // namespace

std::string ops_text(const std::vector<std::string>& ops) {
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& op : ops) {
    const auto found = std::ranges::find(counts, op, &std::pair<std::string, int>::first);
    if (found == counts.end()) {
      counts.emplace_back(op, 1);
    } else {
      ++found->second;
    }
  }
  return join(counts, " ", [](const auto& item) {
    return item.second == 1 ? item.first : concat(item.first, "*", item.second);
  });
}

std::string place_text(const KernelRow& row) {
  return row.scopes.empty() ? lines_text(row.lines) : scopes_text(row.scopes);
}

}  // namespace ridge::driver
