#include "demo_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ridge::command {

namespace {

using driver::KernelRow;

// A row as text, cut to what the columns hold.
struct TableRow {
  std::string name, ops, lines;
  int64_t bytes = 0;
  int64_t flops = 0;
  double us = 0;
};

constexpr size_t kMaxNameWidth = 48;
constexpr size_t kMaxOpsWidth = 48;
constexpr size_t kMaxLinesWidth = 40;

std::string cut(const std::string& text, size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

// "add mul*3 exp": each op once, in order of appearance, with how often it occurs.
std::string ops_text(const std::vector<std::string>& ops) {
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& op : ops) {
    const auto same = [&](const auto& count) { return count.first == op; };
    const auto found = std::find_if(counts.begin(), counts.end(), same);
    if (found == counts.end()) {
      counts.emplace_back(op, 1);
    } else {
      ++found->second;
    }
  }
  std::string text;
  for (const auto& [op, count] : counts) {
    if (!text.empty()) text += " ";
    text += count == 1 ? op : fmt::format("{}*{}", op, count);
  }
  return text;
}

// "demo_model.cpp:48,52": folders left out, and a file named once for all its lines.
std::string lines_text(const std::vector<std::string>& lines) {
  std::string text, last_file;
  for (const std::string& line : lines) {
    const size_t name = line.rfind('/') == std::string::npos ? 0 : line.rfind('/') + 1;
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

TableRow table_row(const KernelRow& row) {
  return {cut(row.name, kMaxNameWidth),
          cut(ops_text(row.ops), kMaxOpsWidth),
          cut(lines_text(row.lines), kMaxLinesWidth),
          row.bytes,
          row.flops,
          mean_us(row)};
}

void add_to(TableRow& sum, const KernelRow& row) {
  sum.bytes += row.bytes;
  sum.flops += row.flops;
  sum.us += mean_us(row);
}

void print_rows(std::FILE* out, const std::vector<TableRow>& rows) {
  size_t name_width = 4, ops_width = 3, lines_width = 12;
  for (const TableRow& row : rows) {
    name_width = std::max(name_width, row.name.size());
    ops_width = std::max(ops_width, row.ops.size());
    lines_width = std::max(lines_width, row.lines.size());
  }
  fmt::print(out, "{:<{}}  {:<{}}  {:<{}}  {:>11}  {:>11}  {:>9}\n", "name", name_width, "ops",
             ops_width, "source lines", lines_width, "bytes", "flops", "time, us");
  for (const TableRow& row : rows) {
    fmt::print(out, "{:<{}}  {:<{}}  {:<{}}  {:>11}  {:>11}  {:>9.1f}\n", row.name, name_width,
               row.ops, ops_width, row.lines, lines_width, row.bytes, row.flops, row.us);
  }
}

}  // namespace

void print_summary(std::FILE* out, const DemoResult& result) {
  const StepCost& eager = result.comparison.eager;
  const StepCost& compiled = result.comparison.compiled;
  const auto ratio = [](double a, double b) { return b == 0 ? 0 : a / b; };
  const auto megabytes = [](int64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  const auto percent = [&](int64_t a, int64_t b) {
    return 100 * ratio(static_cast<double>(a), static_cast<double>(b));
  };
  fmt::print(out, "\n{:<16}{:>14}{:>14}\n", "", "eager", "compiled");
  fmt::print(out, "{:<16}{:>11.2f} ms{:>11.2f} ms   {:.2f} times as fast\n", "one step",
             eager.step_ms, compiled.step_ms, ratio(eager.step_ms, compiled.step_ms));
  fmt::print(out, "{:<16}{:>14}{:>14}   {:.1f} %\n", "kernels", eager.counts.kernels,
             compiled.counts.kernels, percent(compiled.counts.kernels, eager.counts.kernels));
  fmt::print(out, "{:<16}{:>11.2f} MB{:>11.2f} MB   {:.1f} %\n", "memory traffic",
             megabytes(eager.counts.bytes), megabytes(compiled.counts.bytes),
             percent(compiled.counts.bytes, eager.counts.bytes));
  fmt::print(out, "{:<16}{:>11.0f} ms{:>11.0f} ms   with all compiling\n", "first call",
             eager.first_ms, compiled.first_ms);
  fmt::print(out, "{:<16}relative, at most {:.1e} over the first {} steps\n\n", "loss differs",
             result.comparison.max_relative_difference, result.comparison.steps);
  fmt::print(out, "test accuracy {:.1f} % ({:.1f} % by a linear classifier on the pixels), ",
             100 * result.accuracy, 100 * result.linear_accuracy);
  fmt::print(out, "trained in {:.1f} s, {:.1f} s in all\n", result.train_seconds, result.seconds);
}

void print_kernels(std::FILE* out, std::vector<KernelRow> kernels, int64_t limit) {
  if (kernels.empty()) {
    fmt::print(out, "\nno kernels: this build calls op by op\n");
    return;
  }
  const size_t count = kernels.size();
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const auto& a, const auto& b) { return mean_us(a) > mean_us(b); });
  const size_t shown = limit <= 0 ? count : std::min(count, static_cast<size_t>(limit));
  std::vector<TableRow> rows;
  TableRow rest{.name = fmt::format("{} more", count - shown), .ops = {}, .lines = {}};
  TableRow all{.name = fmt::format("all {}", count), .ops = {}, .lines = {}};
  for (size_t i = 0; i < count; ++i) {
    if (i < shown) {
      rows.push_back(table_row(kernels[i]));
    } else {
      add_to(rest, kernels[i]);
    }
    add_to(all, kernels[i]);
  }
  if (shown < count) rows.push_back(rest);
  rows.push_back(all);
  fmt::print(out, "\nkernels of one step, slowest first\n");
  print_rows(out, rows);
}

std::string json_text(const DemoResult& result) {
  const Comparison& comparison = result.comparison;
  const nlohmann::ordered_json object = {
      {"accuracy", result.accuracy},
      {"linear_accuracy", result.linear_accuracy},
      {"eager_step_ms", comparison.eager.step_ms},
      {"compiled_step_ms", comparison.compiled.step_ms},
      {"eager_bytes", comparison.eager.counts.bytes},
      {"compiled_bytes", comparison.compiled.counts.bytes},
      {"eager_kernels", comparison.eager.counts.kernels},
      {"compiled_kernels", comparison.compiled.counts.kernels},
      {"max_relative_difference", comparison.max_relative_difference},
      {"compared_steps", comparison.steps},
      {"compile_ms", comparison.compiled.first_ms},
      {"train_seconds", result.train_seconds},
      {"seconds", result.seconds},
  };
  return object.dump();
}

}  // namespace ridge::command
