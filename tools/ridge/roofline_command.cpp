// `ridge roofline`: what an operation needs on a device, from its sheet alone.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "commands.h"
#include "ridge/base/text.h"
#include "ridge/cost/roofline/operations.h"
#include "roofline_report.h"
#include "usage.h"

namespace ridge::command {

namespace {

using cost::Operation;

struct RooflineArguments {
  std::string operation, shape, device, dtype = "bf16", weights, output, tile, layout = "nn";
  cost::Query query;  // options that need no reading
  bool as_json = false;
};

std::string footer_text() {
  std::string text = "Operations, each with the form of its shape and an example:\n";
  for (const Operation& operation : cost::operations()) {
    const auto name_of = [](const cost::Dimension& d) {
      return d.alias.empty() ? std::string(d.name) : concat(d.name, " (or ", d.alias, ")");
    };
    const std::string form =
        operation.dimensions.empty() ? "any shape" : join(operation.dimensions, " x ", name_of);
    text += concat("\n  ", operation.name, ": ", operation.description, "\n    shape: ", form,
                   "\n    options: ", operation.options.empty() ? "" : join(operation.options, " "),
                   "\n    ridge roofline ", operation.example, "\n");
  }
  return text +
         "\nShapes are AxBxC in that order or NAME=SIZE,... in any. An FMA counts as 2 flops.";
}

// Every option but those all operations take belongs to some of them.
void check_options(const CLI::App& command, const Operation& operation) {
  static constexpr std::string_view kOfAll[] = {"--dtype", "--device", "--json", "--help"};
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || !name.starts_with("--")) continue;
    if (std::ranges::find(kOfAll, name) != std::end(kOfAll)) continue;
    if (std::ranges::find(operation.options, name) != operation.options.end()) continue;
    throw CLI::ValidationError(
        concat(name, " is no option of ", operation.name, ", which takes ",
               operation.options.empty() ? "none" : join(operation.options, ", ")));
  }
}

cost::Estimate estimate_of(const Operation& operation, const cost::Sheet& sheet,
                           RooflineArguments& given) {
  cost::Query& query = given.query;
  query.sheet = &sheet;
  query.sizes = cost::parse_sizes(given.shape, operation.dimensions);
  query.dtype = cost::find_element_type(given.dtype);
  if (!given.weights.empty()) query.weights = cost::find_element_type(given.weights);
  if (!given.output.empty()) query.output = cost::find_element_type(given.output);
  if (!given.tile.empty()) query.tile = cost::parse_tile(given.tile);
  query.layout = cost::parse_matmul_layout(given.layout);
  return operation.estimate(query);
}

void run(const CLI::App& command, RooflineArguments& given) {
  const Operation& operation = *as_usage([&] { return &cost::find_operation(given.operation); });
  check_options(command, operation);
  const auto sheet = sheet_for(given.device);
  cost::Estimate estimate = as_usage([&] { return estimate_of(operation, *sheet, given); });
  if (given.device == "cpu" && !sheet->is_measured) {
    estimate.notices.push_back(concat("this machine is not calibrated: figures of ", sheet->name,
                                      "; run ridge devices --calibrate"));
  }
  if (given.as_json) {
    std::cout << roofline_json(estimate).dump(2) << "\n";
  } else {
    std::cout << roofline_text(estimate);
  }
}

// A whole number from 1 (or `least`) to 2^53, kept as the model counts: in a double.
template <class Number>
void add_count(CLI::App& command, const std::string& name, Number& value, const std::string& help,
               double least = 1) {
  const auto read = [&value, name, least](const std::string& text) {
    double number = 0;
    const bool is_whole = CLI::detail::lexical_cast(text, number) && number >= least &&
                          number <= 0x1p53 &&
                          number == static_cast<double>(static_cast<int64_t>(number));
    if (!is_whole) {
      throw CLI::ValidationError(
          concat(name, " takes a whole number from ", least, ", given `", text, "`"));
    }
    value = number;
  };
  command.add_option_function<std::string>(name, read, help)->type_name("COUNT");
}

void add_family_options(CLI::App& command, cost::Query& query) {
  add_count(command, "--repeat", query.repeat, "pointwise: times the operation is applied");
  command.add_flag("--fma", query.is_fma, "pointwise: each operation is an FMA, 2 flops");
  command.add_option("--function", query.function,
                     "pointwise: each operation is a call of exp, log, sin, cos, tanh, ...");
  add_count(command, "--inputs", query.inputs, "pointwise: tensors read");
  command.add_option("--axis", query.axis, "reduce: the axis, from the end if negative, or `all`");
  command.add_option("--algorithm", query.algorithm,
                     "attention: flash or naive; all-reduce: ring or switch");
  command.add_flag("--causal", query.is_causal, "attention: a query sees no later keys");
  add_count(command, "--keys", query.keys, "attention: keys, where not as many as queries");
  add_count(command, "--heads", query.heads, "transformer: heads of queries (else of size 128)");
  add_count(command, "--kv-heads", query.kv_heads, "heads of keys and values, where fewer");
  add_count(command, "--hidden", query.hidden, "transformer: width inside the MLP (else 4 D)");
  command.add_flag("--gated", query.is_gated, "transformer: the MLP has a gate");
  add_count(command, "--layers", query.layers, "transformer: blocks");
  add_count(command, "--vocabulary", query.vocabulary, "decode: also the logits of so many tokens");
  add_count(command, "--devices", query.devices, "over how many devices");
  command.add_option("--split", query.split, "sharded: the size that is split: M, N or K");
  add_count(command, "--axes", query.axes, "torus axes in use (TPU)");
  command.add_flag("--open", query.is_open, "torus axes do not close to a ring");
  add_count(command, "--stride", query.stride, "convolution: of the window");
  add_count(command, "--padding", query.padding, "convolution: zeros at each side", 0);
}

}  // namespace

void add_roofline(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "roofline", "Bounds of an operation on a device, from its sheet; needs no hardware");
  auto given = std::make_shared<RooflineArguments>();
  command->add_option("operation", given->operation, "What to compute, see below")->required();
  command->add_option("shape", given->shape, "Its sizes, see below")->required();
  command
      ->add_option("--device", given->device,
                   "The sheet, such as h200 or tpu-v5e; cpu: this machine's")
      ->required();
  command->add_option("--dtype", given->dtype, "Type of the operands (bf16)");
  command->add_option("--weights", given->weights, "Type of W, where it differs");
  command->add_option("--output", given->output, "Type of the result (--dtype; bf16 for 8 bits)");
  command->add_option("--tile", given->tile, "Tile of the output, as 256x128; else chosen");
  command->add_option("--layout", given->layout,
                      "nn, nt, tn or tt: t where X or W lies transposed");
  add_family_options(*command, given->query);
  command->add_flag("--json", given->as_json, "Print one JSON object");
  command->footer("");  // else the examples of `ridge` itself follow
  command->footer([] { return footer_text(); });
  command->callback([command, given] { run(*command, *given); });
}

}  // namespace ridge::command
