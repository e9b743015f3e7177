// `ridge devices`: the devices Ridge knows, what they can do, and where that is written.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "device_page.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/calibrate.h"
#include "ridge/cost/sheets.h"
#include "ridge/cost/units.h"
#include "usage.h"

namespace ridge::command {
namespace {

using cost::Sheet;
using cost::Unit;
using nlohmann::ordered_json;

struct CalibrateFlags {
  int rounds = 11;
  double most_spread = 0.15;
  bool is_gpu = false;  // the first one, in place of the CPU
};

// Measures this machine, and writes the sheet.
void run_calibration(const CalibrateFlags& flags) {
  calibrate::Options options{.rounds = flags.rounds, .most_spread = flags.most_spread};
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  if (is_terminal) {
    options.on_progress = [](size_t done, size_t all) {
      if (done % 8 == 0 || done == all) std::fprintf(stderr, "\rmeasuring: %zu of %zu", done, all);
      if (done == all) std::fputs("\n", stderr);
    };
  } else {
    std::fputs("measuring this machine: some seconds, best with nothing else running\n", stderr);
  }
  const cost::Sheet sheet =
      flags.is_gpu ? calibrate::calibrate_gpu(0, options) : calibrate::calibrate_cpu(options);
  const std::string path = flags.is_gpu ? cost::calibrated_gpu_path() : cost::calibrated_path();
  calibrate::write_sheet(sheet, path);
  std::fprintf(stderr, "written to %s\n", path.c_str());
}

// Rates in the order in which deep learning would like to use them.
struct Ridge {
  std::string dtype;
  double flops_per_byte = 0;
};

std::optional<Ridge> best_ridge(const Sheet& sheet) {
  constexpr std::pair<const char*, const char*> kRates[] = {
      {"bf16", "matrix.bf16"}, {"f16", "matrix.f16"}, {"f32", "vector.f32.fma"}};
  for (const auto& [dtype, key] : kRates) {
    if (const auto point = sheet.ridge_point(key)) return Ridge{dtype, *point};
  }
  return std::nullopt;
}

std::optional<double> f32_peak(const Sheet& sheet) {
  const auto with_fma = sheet.value("vector.f32.fma");
  return with_fma ? with_fma : sheet.value("vector.f32");
}

std::string text_or_dash(std::optional<double> value, Unit unit) {
  return value ? cost::readable_text(*value, unit) : "-";
}

ordered_json summary(const Sheet& sheet) {
  const auto number = [](std::optional<double> value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
  };
  const auto ridge = best_ridge(sheet);
  return {{"name", sheet.name},
          {"title", sheet.title},
          {"kind", name(sheet.kind)},
          {"is_measured", sheet.is_measured},
          {"matrix_bf16_flops_per_second", number(sheet.value("matrix.bf16"))},
          {"vector_f32_flops_per_second", number(f32_peak(sheet))},
          {"bytes_per_second", number(sheet.bandwidth())},
          {"ridge_dtype", ridge ? ordered_json(ridge->dtype) : ordered_json(nullptr)},
          {"ridge_flops_per_byte", ridge ? ordered_json(ridge->flops_per_byte) : nullptr}};
}

void print_list(const std::vector<std::shared_ptr<const Sheet>>& sheets) {
  size_t name_width = 0;
  for (const auto& sheet : sheets) name_width = std::max(name_width, sheet->name.size());
  const auto row = [&](const std::string& name, const std::string& bf16, const std::string& f32,
                       const std::string& bandwidth, const std::string& ridge,
                       const std::string& title) {
    const auto cell = [](const std::string& text, size_t width) {
      return text + std::string(text.size() < width ? width - text.size() : 0, ' ') + "  ";
    };
    std::cout << cell(name, name_width) << cell(bf16, 14) << cell(f32, 14) << cell(bandwidth, 12)
              << cell(ridge, 10) << title << "\n";
  };
  row("name", "bf16 matrix", "f32 vector", "memory", "ridge", "title");
  for (const auto& sheet : sheets) {
    const auto ridge = best_ridge(*sheet);
    const std::string point =
        ridge ? concat(std::llround(ridge->flops_per_byte), " ", ridge->dtype) : "-";
    row(sheet->name, text_or_dash(sheet->value("matrix.bf16"), Unit::flops_per_second),
        text_or_dash(f32_peak(*sheet), Unit::flops_per_second),
        text_or_dash(sheet->bandwidth(), Unit::bytes_per_second), point,
        sheet->title + (sheet->is_measured ? " (measured)" : ""));
  }
  std::cout << sheets.size() << " devices; ridge: flops a byte where the rate meets memory\n";
  if (!cost::this_cpu()->is_measured) {
    std::cout << "this machine is not measured: " << cost::this_cpu()->name << " stands in\n";
  }
}

void run(const std::string& name, bool as_json) {
  if (!name.empty()) {
    const DevicePage page = find_device(sheet_for(name)->name);
    if (as_json) {
      std::cout << page_json(page).dump(2) << "\n";
    } else {
      std::cout << page_text(page);
    }
    if (name == "cpu" && !cost::this_cpu()->is_measured) {
      std::cerr << "this machine is not measured: " << cost::this_cpu()->name << " stands in\n";
    }
    return;
  }
  const auto sheets = cost::all_sheets();
  if (!as_json) return print_list(sheets);
  ordered_json list = ordered_json::array();
  for (const auto& sheet : sheets) list.push_back(summary(*sheet));
  std::cout << list.dump(2) << "\n";
}

}  // namespace

void add_devices(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "devices", "List the devices that have a sheet, or show the figures of one");
  auto name = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  auto calibrates = std::make_shared<bool>(false);
  auto flags = std::make_shared<CalibrateFlags>();
  CLI::Option* which = command->add_option(
      "name", *name, "Show every figure of this device, and its source; cpu: this machine");
  command->add_flag("--json", *as_json, "Print JSON: a list of objects, or one object for NAME");
  CLI::Option* calibrate =
      command->add_flag("--calibrate", *calibrates, "Measure this machine and write its sheet")
          ->excludes(which);
  auto device = std::make_shared<std::string>("cpu");
  command->add_option("--device", *device, "What of it: cpu, or cuda for the first GPU")
      ->needs(calibrate)
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  command->add_option("--rounds", flags->rounds, "How often each figure is measured")
      ->needs(calibrate)
      ->check(whole_number(3, 1000))
      ->capture_default_str();
  command
      ->add_option("--spread", flags->most_spread, "Refuse figures that differ by more than this")
      ->needs(calibrate)
      ->check(real_number(0.001, 10.0))
      ->capture_default_str();
  command->callback([=] {
    flags->is_gpu = *device == "cuda";
    if (*calibrates) run_calibration(*flags);
    const char* measured = flags->is_gpu ? "this-gpu" : "this-cpu";
    run(*calibrates ? measured : *name, *as_json);
  });
}

}  // namespace ridge::command
