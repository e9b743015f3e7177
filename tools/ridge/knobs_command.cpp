// `ridge knobs`: the environment variables that Ridge reads.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "ridge/base/knobs.h"
#include "usage.h"

namespace ridge::command {

namespace {

using nlohmann::ordered_json;

ordered_json describe_knob(const KnobInfo& knob) {
  return {{"name", knob.name},
          {"help", knob.help},
          {"effect", name(knob.effect)},
          {"default", knob.default_value},
          {"value", knob_text(knob.knob)},
          {"is_set", is_knob_set(knob.knob)}};
}

void print_table(std::span<const KnobInfo> knobs) {
  size_t width = 0;
  for (const KnobInfo& knob : knobs) width = std::max(width, knob.name.size());
  for (const KnobInfo& knob : knobs) {
    std::cout << knob.name << std::string(width + 2 - knob.name.size(), ' ') << knob.help;
    if (!knob.default_value.empty()) std::cout << " (default " << knob.default_value << ")";
    if (is_knob_set(knob.knob)) std::cout << " [now " << knob_text(knob.knob) << "]";
    std::cout << "\n";
  }
}

void show_knobs(const std::string& name, bool as_json) {
  const std::span<const KnobInfo> knobs =
      name.empty() ? knob_table()
                   : std::span<const KnobInfo>(as_usage([&] { return &find_knob(name); }), 1);
  if (!as_json) return print_table(knobs);
  ordered_json list = ordered_json::array();
  for (const KnobInfo& knob : knobs) list.push_back(describe_knob(knob));
  std::cout << list.dump(2) << "\n";
}

}  // namespace

void add_knobs(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("knobs", "List the RIDGE_ environment variables and their values");
  auto name = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("name", *name, "Show this knob only");
  command->add_flag("--json", *as_json, "Print a JSON list of objects");
  command->callback([name, as_json] { show_knobs(*name, *as_json); });
}

}  // namespace ridge::command
