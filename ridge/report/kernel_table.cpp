#include "ridge/report/kernel_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ridge/base/text.h"

namespace ridge::report {
namespace {

// Wide enough for most, so that one long row does not widen the table.
constexpr size_t kMaxNameWidth = 40;
constexpr size_t kMaxOpsWidth = 36;
constexpr size_t kMaxPlaceWidth = 36;

struct TextRow {
  std::string name, ops, place;
  int64_t bytes = 0;
  int64_t flops = 0;
  double floor_us = 0;
  double predicted_us = 0;
  double measured_us = 0;
  double bound_us = 0;  // of the resource that binds, by itself
  std::string_view bound{};
  std::string_view regime{};
};

struct Columns {
  bool has_prices, has_times;
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

void add_to(TextRow& sum, const KernelRow& row) {
  sum.bytes += row.bytes;
  sum.flops += row.flops;
  sum.measured_us += row.measured_us().value_or(0);
  if (!row.price) return;
  sum.floor_us += 1e6 * row.price->floor;
  sum.predicted_us += 1e6 * row.price->predicted;
  sum.bound_us += 1e6 * row.price->best_rate_seconds;
}

TextRow text_row(const KernelRow& row) {
  TextRow result{.name = cut_inside(row.name, kMaxNameWidth),
                 .ops = cut(ops_text(row.ops), kMaxOpsWidth),
                 .place = cut(place_text(row), kMaxPlaceWidth)};
  add_to(result, row);
  if (row.price) {
    result.bound = name(row.price->limiter);
    result.regime = name(regime_of(row.price->limiter));
  }
  return result;
}

std::string percent_of_reached(const TextRow& row) {
  if (row.measured_us <= 0 || row.bound_us <= 0) return "";
  return fmt::format("{:.0f} %", 100 * row.bound_us / row.measured_us);
}

std::string table(const std::vector<TextRow>& rows, Columns columns) {
  size_t name_width = 4, ops_width = 3, place_width = 14;
  for (const TextRow& row : rows) {
    name_width = std::max(name_width, row.name.size());
    ops_width = std::max(ops_width, row.ops.size());
    place_width = std::max(place_width, row.place.size());
  }
  std::string text;
  const auto out = std::back_inserter(text);
  const auto end_line = [&] {
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  };
  fmt::format_to(out, "{:<{}}  {:<{}}  {:<{}}  {:>11}  {:>11}", "name", name_width, "ops",
                 ops_width, "layer or lines", place_width, "bytes", "flops");
  if (columns.has_prices) fmt::format_to(out, "  {:>9}  {:>9}", "floor, us", "predicted");
  if (columns.has_times) fmt::format_to(out, "  {:>9}", "measured");
  if (columns.has_prices && columns.has_times) fmt::format_to(out, "  {:>10}", "of reached");
  if (columns.has_prices) fmt::format_to(out, "  {:<17}  {}", "bound", "regime");
  end_line();
  for (const TextRow& row : rows) {
    fmt::format_to(out, "{:<{}}  {:<{}}  {:<{}}  {:>11}  {:>11}", row.name, name_width, row.ops,
                   ops_width, row.place, place_width, row.bytes, row.flops);
    if (columns.has_prices) {
      fmt::format_to(out, "  {:>9.1f}  {:>9.1f}", row.floor_us, row.predicted_us);
    }
    if (columns.has_times) fmt::format_to(out, "  {:>9.1f}", row.measured_us);
    if (columns.has_prices && columns.has_times) {
      fmt::format_to(out, "  {:>10}", percent_of_reached(row));
    }
    if (columns.has_prices) fmt::format_to(out, "  {:<17}  {}", row.bound, row.regime);
    end_line();
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
                           [](const KernelRow* row) { return row->measured_us().value_or(0); });
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
  const bool has_prices =
      std::ranges::any_of(rows, [](const KernelRow& row) { return row.price.has_value(); });
  return table(texts, {.has_prices = has_prices, .has_times = is_timed(rows)});
}

std::string figures_text(const cost::Sheet& sheet, std::string_view gpu_name) {
  const std::string source = concat("sheet ", sheet.name, " (", sheet.version, ")");
  if (!gpu_name.empty()) {
    if (sheet.describes(gpu_name)) return source;
    return concat(source, "; there is no sheet of ", gpu_name, ", so figures of ", sheet.name,
                  " stand in, and mappings are chosen for it");
  }
  if (sheet.is_measured) return concat(source, ", measured on this machine");
  return concat(source, "; this machine is not calibrated: figures of ", sheet.name,
                "; run ridge devices --calibrate");
}

}  // namespace ridge::report
