#include "ridge/driver/kernel_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ridge/base/text.h"

namespace ridge::driver {
namespace {

// Wide enough for most, so that one long row does not widen the table.
constexpr size_t kMaxNameWidth = 48;
constexpr size_t kMaxOpsWidth = 48;
constexpr size_t kMaxPlaceWidth = 44;

struct TextRow {
  std::string name, ops, place;
  int64_t bytes = 0;
  int64_t flops = 0;
  double us = 0;
};

std::string cut(const std::string& text, size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

// The end stays: it is what tells kernels of the same ops apart, and names their dumped files.
std::string cut_inside(const std::string& name, size_t width) {
  constexpr size_t kEnd = 9;  // "_3f2a91c0"
  if (name.size() <= width) return name;
  return name.substr(0, width - 3 - kEnd) + "..." + name.substr(name.size() - kEnd);
}

// "add mul*3 exp": each op once, in order of appearance, with how often it occurs.
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

double mean_us(const KernelRow& row) {
  return row.launches == 0 ? 0 : row.total_us / static_cast<double>(row.launches);
}

TextRow text_row(const KernelRow& row) {
  const std::string place = row.scopes.empty() ? lines_text(row.lines) : scopes_text(row.scopes);
  return {cut_inside(row.name, kMaxNameWidth),
          cut(ops_text(row.ops), kMaxOpsWidth),
          cut(place, kMaxPlaceWidth),
          row.bytes,
          row.flops,
          mean_us(row)};
}

void add_to(TextRow& sum, const KernelRow& row) {
  sum.bytes += row.bytes;
  sum.flops += row.flops;
  sum.us += mean_us(row);
}

std::string table(const std::vector<TextRow>& rows, bool has_times) {
  size_t name_width = 4, ops_width = 3, place_width = 14;
  for (const TextRow& row : rows) {
    name_width = std::max(name_width, row.name.size());
    ops_width = std::max(ops_width, row.ops.size());
    place_width = std::max(place_width, row.place.size());
  }
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{:<{}}  {:<{}}  {:<{}}  {:>11}  {:>11}", "name", name_width, "ops",
                 ops_width, "layer or lines", place_width, "bytes", "flops");
  if (has_times) fmt::format_to(out, "  {:>9}  {:>7}  {:>8}", "time, us", "GB/s", "GFLOP/s");
  text += "\n";
  for (const TextRow& row : rows) {
    fmt::format_to(out, "{:<{}}  {:<{}}  {:<{}}  {:>11}  {:>11}", row.name, name_width, row.ops,
                   ops_width, row.place, place_width, row.bytes, row.flops);
    if (has_times) {
      const auto rate = [&](int64_t amount) {
        return row.us > 0 ? static_cast<double>(amount) / row.us / 1000 : 0;
      };
      fmt::format_to(out, "  {:>9.1f}  {:>7.1f}  {:>8.1f}", row.us, rate(row.bytes),
                     rate(row.flops));
    }
    text += "\n";
  }
  return text;
}

}  // namespace

bool is_timed(const std::vector<KernelRow>& rows) {
  return std::ranges::any_of(rows, [](const KernelRow& row) { return row.launches > 0; });
}

std::string to_text(const std::vector<KernelRow>& rows, size_t limit) {
  std::vector<const KernelRow*> order;
  for (const KernelRow& row : rows) order.push_back(&row);
  // Rows that were never timed have the same time, so they keep their order.
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const KernelRow* row) { return mean_us(*row); });
  const size_t shown = limit == 0 ? rows.size() : std::min(rows.size(), limit);
  std::vector<TextRow> texts;
  TextRow rest{.name = concat(rows.size() - shown, " more"), .ops = {}, .place = {}};
  TextRow all{.name = concat("all ", rows.size()), .ops = {}, .place = {}};
  for (size_t i = 0; i < order.size(); ++i) {
    if (i < shown) {
      texts.push_back(text_row(*order[i]));
    } else {
      add_to(rest, *order[i]);
    }
    add_to(all, *order[i]);
  }
  if (shown < rows.size()) texts.push_back(rest);
  texts.push_back(all);
  return table(texts, is_timed(rows));
}

}  // namespace ridge::driver
