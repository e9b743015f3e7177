#include "ridge/cost/sheet.h"

#include <algorithm>
#include <cstdio>

#include "ridge/base/error.h"
#include "ridge/base/hash.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheet_line.h"
#include "ridge/cost/tuning.h"
#include "ridge/cost/units.h"
#include "ridge/loop/device_limits.h"

namespace ridge::cost {
namespace {

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string figure_line(const std::string& key, const Figure& figure) {
  std::string line =
      concat("figure   ", padded(key, 18), " ", padded(exact_text(figure.value, figure.unit), 16));
  if (is_matrix_key(key)) line += figure.is_dense ? " dense" : " sparse";
  if (!figure.accumulate.empty()) line += " accumulate=" + figure.accumulate;
  if (!figure.direction.empty()) line += " direction=" + figure.direction;
  if (figure.spread != 0) line += concat(" spread=", figure.spread);
  return line + " source=" + figure.source;
}

}  // namespace

const Figure* Sheet::find(std::string_view key) const {
  const auto found = figures.find(key);
  return found == figures.end() ? nullptr : &found->second;
}

std::optional<double> Sheet::value(std::string_view key) const {
  const Figure* figure = find(key);
  if (figure == nullptr) return std::nullopt;
  return figure->value;
}

double Sheet::need(std::string_view key, std::string_view what) const {
  const Figure* figure = find(key);
  RIDGE_CHECK(
      figure != nullptr, .code = ErrorCode::value,
      .expected = concat("a device sheet with the figure `", key, "`, which ", what, " needs"),
      .given = concat("`", name, "`, which has none"),
      .hint = is_measured ? "calibrate this machine again"
                          : "a sheet of the same name in the folder RIDGE_DEVICES may add it");
  return figure->value;
}

double Sheet::need_first(std::initializer_list<std::string_view> keys,
                         std::string_view what) const {
  RIDGE_INTERNAL_CHECK(keys.size() > 0, "no figure is named");
  for (const std::string_view key : keys) {
    if (const auto found = value(key)) return *found;
  }
  return need(*(keys.end() - 1), what);
}

std::optional<double> Sheet::bandwidth() const {
  for (const std::string_view key : {"dram.peak", "dram.read", "dram.copy"}) {
    if (const auto result = value(key)) return result;
  }
  return std::nullopt;
}

std::optional<double> Sheet::ridge_point(std::string_view key) const {
  const auto rate = value(key);
  const auto bytes = bandwidth();
  if (!rate || !bytes) return std::nullopt;
  return *rate / *bytes;
}

bool Sheet::describes(std::string_view device_name) const {
  if (device_names.empty()) return title.starts_with(device_name);
  return std::ranges::any_of(device_names, [&](const std::string& known) {
    return device_name == known || device_name.starts_with(known + " MIG ");
  });
}

const Source* Sheet::source(std::string_view wanted) const {
  const auto found = std::ranges::find(sources, wanted, &Source::name);
  return found == sources.end() ? nullptr : &*found;
}

std::string measured_version(const Sheet& sheet, std::string_view date) {
  Hasher hasher;
  hasher.combine(sheet.title);
  for (const auto& [key, figure] : sheet.figures) {
    hasher.combine(key).combine(figure.value).combine(figure.spread);
  }
  char digest[9];
  std::snprintf(digest, sizeof digest, "%08x", static_cast<unsigned>(hasher.digest() >> 32));
  return concat(date, " ", digest);
}

std::string to_text(const Sheet& sheet) {
  TextWriter writer;
  writer.line("ridge-sheet 1");
  writer.line("name     ", sheet.name);
  writer.line("title    ", sheet.title);
  writer.line("kind     ", name(sheet.kind));
  writer.line("version  ", sheet.version);
  if (sheet.is_measured) writer.line("measured");
  if (!sheet.of.empty()) writer.line("of       ", sheet.of);
  for (const std::string& known : sheet.device_names) writer.line("device-name ", known);
  for (const Source& source : sheet.sources) {
    writer.line("source   ", source.name, "  \"", source.title, "\"  ", source.date);
  }
  for (const FigureKey& key : figure_keys()) {
    if (const Figure* figure = sheet.find(key.name)) writer.line(figure_line(key.name, *figure));
  }
  for (const Check& check : sheet.checks) {
    writer.line("check    ", check.key, " = ", check.formula, " within ",
                percent_text(check.tolerance));
  }
  return std::move(writer).str();
}

std::string_view name(SheetKind kind) {
  switch (kind) {
    case SheetKind::gpu: return "gpu";
    case SheetKind::tpu: return "tpu";
    case SheetKind::cpu: return "cpu";
  }
  return {};
}

loop::DeviceLimits device_limits(const Sheet* sheet) {
  loop::DeviceLimits limits;
  if (sheet == nullptr) return limits;
  const auto figure = [&](std::string_view name, double otherwise) {
    return static_cast<int64_t>(sheet->value(name).value_or(otherwise));
  };
  limits.arch = figure("arch", 0);
  const auto given = [&](std::string_view name, int64_t& limit) {
    limit = figure(name, static_cast<double>(limit));
  };
  given("lanes", limits.warp_size);
  given("line", limits.line_bytes);
  given("sector", limits.sector_bytes);
  given("units", limits.sms);
  given("registers", limits.registers_per_sm);
  given("threads", limits.threads_per_sm);
  given("shared.bytes", limits.shared_bytes);
  given("cluster", limits.cluster_blocks);
  limits.clustered_sms =
      figure("units.cluster", static_cast<double>(limits.sms) * tuning::kClusteredSmFraction);
  return limits;
}

}  // namespace ridge::cost
