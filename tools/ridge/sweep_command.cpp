// `ridge sweep`: predicted rates over a range of sizes, and why they drop where they drop.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "commands.h"
#include "gpu_bench_run.h"
#include "ridge/base/text.h"
#include "sweep_measure.h"
#include "sweep_report.h"
#include "usage.h"

namespace ridge::command {

namespace {

struct SweepArguments {
  std::string device, dtype, weights, output, tile, layout = "nn", svg;
  uint64_t from = 1, to = 1, step = 1, numbers = 1 << 24;
  bool is_fma = false, as_json = false;

  cost::SweepRange range() const {
    return {static_cast<double>(from), static_cast<double>(to), static_cast<double>(step)};
  }
};

cost::Query query_of(const SweepArguments& given, const cost::Sheet& sheet) {
  cost::Query query;
  query.sheet = &sheet;
  query.dtype = cost::find_element_type(given.dtype);
  if (!given.weights.empty()) query.weights = cost::find_element_type(given.weights);
  if (!given.output.empty()) query.output = cost::find_element_type(given.output);
  if (!given.tile.empty()) query.tile = cost::parse_tile(given.tile);
  query.layout = cost::parse_matmul_layout(given.layout);
  query.is_fma = given.is_fma;
  query.sizes = cost::Sizes({{"0", static_cast<double>(given.numbers)}});
  return query;
}

// `cpu` and `cuda` are this machine: measured, beside the prediction of its sheet.
bool is_gpu(const SweepArguments& given) { return given.device == "cuda"; }
bool is_here(const SweepArguments& given) { return given.device == "cpu" || is_gpu(given); }

MeasuredOn measured_on(const SweepArguments& given,
                       const std::shared_ptr<const cost::Sheet>& sheet) {
  return {.is_gpu = is_gpu(given), .dtype = *find_dtype(given.dtype), .sheet = sheet};
}

std::shared_ptr<const cost::Sheet> sheet_of(const SweepArguments& given) {
  const bool is_known = given.dtype == "f32" || (is_gpu(given) && given.dtype == "bf16");
  const bool is_usual = is_known && given.layout == "nn" && given.weights.empty();
  if (is_here(given) && !is_usual) {
    throw CLI::ValidationError(concat(
        "with --device ", given.device, " expected --dtype f32", is_gpu(given) ? " or bf16" : "",
        " and the usual layout, which is what is measured here, given ", given.dtype, " ",
        given.layout));
  }
  if (!is_gpu(given)) return sheet_for(given.device);
  need_gpu("sweep");
  return first_gpu_sheet();
}

// On the way, for whoever waits: a line that is written over, or some lines in a file.
void show_measured(size_t done, size_t all) {
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  constexpr size_t kLines = 20;
  const size_t every = is_terminal ? 1 : std::max<size_t>(1, all / kLines);
  if (done % every != 0 && done != all) return;
  std::fprintf(stderr, "%s%zu of %zu measured%s", is_terminal ? "\r" : "", done, all,
               is_terminal && done != all ? "" : "\n");
  std::fflush(stderr);
}

template <class Sweep>
void print(const Sweep& sweep, const SweepArguments& given, const cost::Query& query) {
  const SweepSubject subject{.device = query.sheet->name,
                             .sheet_version = query.sheet->version,
                             .dtype = std::string(query.dtype.name),
                             .is_measured = query.sheet->is_measured,
                             .stands_in = is_here(given) && !query.sheet->is_measured};
  if (!given.svg.empty()) write_svg(sweep_plot(sweep, subject), given.svg);
  if (given.as_json) {
    std::cout << sweep_json(sweep, subject).dump() << "\n";
  } else {
    std::cout << sweep_text(sweep, subject);
  }
}

void add_range(CLI::App& command, SweepArguments& given) {
  const CLI::Validator counts = whole_number(1, uint64_t{1} << 53);
  command
      .add_option("--device", given.device,
                  "The sheet, such as h200; cpu and cuda measure this machine too")
      ->required();
  command.add_option("--dtype", given.dtype, "Type of the operands")->capture_default_str();
  command.add_option("--output", given.output, "Type of the result");
  command.add_option("--from", given.from, "First")->check(counts)->capture_default_str();
  command.add_option("--to", given.to, "Last")->check(counts)->capture_default_str();
  command.add_option("--step", given.step, "Distance")->check(counts)->capture_default_str();
  command.add_option("--svg", given.svg, "Also write a plot to this file");
  command.add_flag("--json", given.as_json, "Print one JSON object");
  command.footer("");
}

void add_matmul(CLI::App& sweep) {
  CLI::App* command = sweep.add_subcommand("matmul", "Square matmuls N x N x N over N");
  auto given = std::make_shared<SweepArguments>();
  given->dtype = "bf16";
  given->from = 1024;
  given->to = 4096;
  add_range(*command, *given);
  command->add_option("--weights", given->weights, "Type of W, where it differs");
  command->add_option("--tile", given->tile,
                      "One tile for all, as 256x128; else chosen for each N");
  command->add_option("--layout", given->layout, "nn, nt, tn or tt");
  command->callback([given] {
    const auto sheet = sheet_of(*given);
    const cost::Query query = as_usage([&] { return query_of(*given, *sheet); });
    auto swept = as_usage([&] { return cost::sweep_matmul(query, given->range()); });
    if (is_here(*given)) measure(swept, measured_on(*given, sheet), show_measured);
    print(swept, *given, query);
  });
}

void add_repeat(CLI::App& sweep) {
  CLI::App* command =
      sweep.add_subcommand("repeat", "A unary operation applied again and again to each number");
  auto given = std::make_shared<SweepArguments>();
  given->dtype = "f32";
  given->to = 512;
  add_range(*command, *given);
  command->add_option("--numbers", given->numbers, "Numbers in the array")
      ->check(whole_number(1, uint64_t{1} << 53))
      ->capture_default_str();
  command->add_flag("--fma", given->is_fma, "The operation is an FMA, 2 flops");
  command->callback([given] {
    const auto sheet = sheet_of(*given);
    const cost::Query query = as_usage([&] { return query_of(*given, *sheet); });
    auto swept = as_usage([&] { return cost::sweep_repeat(query, given->range()); });
    if (is_here(*given)) {
      measure(swept, measured_on(*given, sheet), static_cast<int64_t>(given->numbers),
              given->is_fma, show_measured);
    }
    print(swept, *given, query);
  });
}

// The parser would only say that a subcommand is required, and not what it took for none.
void check_subcommand(const CLI::App& command) {
  if (!command.get_subcommands().empty()) return;
  const std::vector<std::string> words = command.remaining();
  if (words.empty()) throw CLI::RequiredError("a subcommand of sweep, matmul or repeat,");
  const std::vector<std::string> names = {"matmul", "repeat"};
  const std::string guess = did_you_mean(words.front(), names);
  throw CLI::ValidationError(concat("`", words.front(), "` is no subcommand of sweep; ",
                                    guess.empty() ? "those are matmul and repeat" : guess));
}

}  // namespace

void add_sweep(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("sweep", "Predicted rates over a range of sizes, and why they drop");
  command->require_subcommand(0, 1);
  command->callback([command] { check_subcommand(*command); });
  command->footer(
      "Examples:\n"
      "  ridge sweep matmul --device h200 --from 1024 --to 4096 --step 1 --svg matmul.svg\n"
      "  ridge sweep repeat --device a100-40 --fma --to 128\n"
      "  ridge sweep matmul --device cpu --dtype f32 --from 64 --to 512 --step 64");
  add_matmul(*command);
  add_repeat(*command);
  command->allow_extras();  // last: subcommands made after it would take any word too
}

}  // namespace ridge::command
