#include "device_page.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ridge/base/text.h"
#include "ridge/calibrate/calibrate.h"
#include "ridge/cost/sheet.h"
#include "ridge/cost/sheet_line.h"
#include "ridge/cost/sheets.h"
#include "ridge/cost/units.h"

namespace ridge::command {
namespace {

using cost::Figure;
using cost::Sheet;
using nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

// Columns of equal width, two blanks apart; the last one keeps its length.
std::string aligned(const Rows& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] + 2 - row[i].size(), ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// 1.04, 0.895: what a ratio needs and no more.
std::string three_digits(double value) {
  const double step = value >= 10 ? 10 : 1000;
  return to_text(std::round(value * step) / step);
}

std::string details(const std::string& key, const Figure& figure) {
  std::vector<std::string> parts;
  if (cost::is_matrix_key(key)) parts.emplace_back(figure.is_dense ? "dense" : "sparse");
  if (!figure.accumulate.empty()) parts.push_back("sums in " + figure.accumulate);
  if (!figure.direction.empty()) parts.push_back(figure.direction);
  if (figure.spread > 0) parts.push_back("spread " + three_digits(100 * figure.spread) + "%");
  return join(parts, ", ");
}

std::string origin(const Sheet& sheet, const Figure& figure) {
  const cost::Source* source = sheet.source(figure.source);
  return source == nullptr ? figure.source : concat(source->name, " ", source->date);
}

Rows figure_rows(const Sheet& sheet) {
  Rows rows = {{"figure", "value", "", "source"}};
  for (const cost::FigureKey& key : cost::figure_keys()) {
    const Figure* figure = sheet.find(key.name);
    if (figure == nullptr) continue;
    rows.push_back({key.name, cost::readable_text(figure->value, figure->unit),
                    details(key.name, *figure), origin(sheet, *figure)});
  }
  return rows;
}

Rows comparison_rows(const Sheet& datasheet, const Sheet& measured) {
  Rows rows = {{"figure", "datasheet", "measured", "ratio", ""}};
  const auto value = [](const Figure* figure) {
    return figure == nullptr ? "-" : cost::readable_text(figure->value, figure->unit);
  };
  for (const cost::FigureKey& key : cost::figure_keys()) {
    const Figure* expected = datasheet.find(key.name);
    const Figure* found = measured.find(key.name);
    // What a measured sheet only repeats is no second opinion.
    if (found != nullptr && found->source == calibrate::kDatasheetSource) found = nullptr;
    if (expected == nullptr && found == nullptr) continue;
    const bool has_both = expected != nullptr && found != nullptr;
    rows.push_back({key.name, value(expected), value(found),
                    has_both ? three_digits(found->value / expected->value) : "",
                    details(key.name, found != nullptr ? *found : *expected)});
  }
  return rows;
}

Rows source_rows(const DevicePage& page) {
  Rows rows;
  for (const auto& sheet : {page.datasheet, page.measured, page.sheet}) {
    if (sheet == nullptr || (sheet == page.sheet && page.measured != nullptr)) continue;
    for (const cost::Source& source : sheet->sources) {
      rows.push_back({"  " + source.name, source.date, source.title});
    }
  }
  return rows;
}

ordered_json figure_json(const Sheet& sheet, const std::string& key, const Figure& figure) {
  ordered_json json = {{"key", key},
                       {"value", figure.value},
                       {"unit", cost::base_name(figure.unit)},
                       {"text", cost::readable_text(figure.value, figure.unit)}};
  if (cost::is_matrix_key(key)) json["is_dense"] = figure.is_dense;
  if (!figure.accumulate.empty()) json["accumulate"] = figure.accumulate;
  if (!figure.direction.empty()) json["direction"] = figure.direction;
  if (sheet.is_measured) json["spread"] = figure.spread;
  if (const cost::Source* source = sheet.source(figure.source)) {
    json["source"] = {{"name", source->name}, {"title", source->title}, {"date", source->date}};
  }
  return json;
}

ordered_json sheet_json(const Sheet& sheet) {
  ordered_json figures = ordered_json::array();
  for (const cost::FigureKey& key : cost::figure_keys()) {
    if (const Figure* figure = sheet.find(key.name)) {
      figures.push_back(figure_json(sheet, key.name, *figure));
    }
  }
  ordered_json checks = ordered_json::array();
  for (const cost::Check& check : sheet.checks) {
    checks.push_back({{"key", check.key},
                      {"formula", check.formula},
                      {"product", check.product},
                      {"ratio", cost::ratio(check, sheet)},
                      {"tolerance", check.tolerance}});
  }
  return {{"name", sheet.name},
          {"title", sheet.title},
          {"kind", name(sheet.kind)},
          {"version", sheet.version},
          {"is_measured", sheet.is_measured},
          {"figures", std::move(figures)},
          {"checks", std::move(checks)}};
}

}  // namespace

DevicePage find_device(const std::string& name) {
  DevicePage page{.sheet = cost::find_sheet(name)};
  for (const auto& other : cost::all_sheets()) {
    const bool is_described = page.sheet->is_measured && other->name == page.sheet->of;
    const bool is_measured = other->is_measured && other->of == page.sheet->name;
    if (!is_described && !is_measured) continue;
    page.datasheet = is_described ? other : page.sheet;
    page.measured = is_described ? page.sheet : other;
  }
  return page;
}

std::string page_text(const DevicePage& page) {
  const Sheet& sheet = *page.sheet;
  std::string text = concat(sheet.name, ": ", sheet.title, "\n", name(sheet.kind), ", version ",
                            sheet.version, sheet.is_measured ? ", measured" : "", "\n\n");
  text += aligned(page.measured ? comparison_rows(*page.datasheet, *page.measured)
                                : figure_rows(sheet));
  if (!sheet.checks.empty()) {
    Rows rows;
    for (const cost::Check& check : sheet.checks) {
      rows.push_back({concat("  ", check.key, " = ", check.formula),
                      concat("holds, ratio ", three_digits(cost::ratio(check, sheet)))});
    }
    text += "\nchecks\n" + aligned(rows);
  }
  return text + "\nsources\n" + aligned(source_rows(page));
}

ordered_json page_json(const DevicePage& page) {
  ordered_json json = sheet_json(*page.sheet);
  if (page.measured == nullptr) return json;
  json["datasheet"] = sheet_json(*page.datasheet);
  json["measured"] = sheet_json(*page.measured);
  ordered_json ratios = ordered_json::object();
  for (const auto& [key, figure] : page.measured->figures) {
    if (figure.source == calibrate::kDatasheetSource) continue;
    if (const auto expected = page.datasheet->value(key)) ratios[key] = figure.value / *expected;
  }
  json["ratios"] = std::move(ratios);
  return json;
}

}  // namespace ridge::command
