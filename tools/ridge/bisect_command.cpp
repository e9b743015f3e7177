// `ridge bisect`: which pass, fusion or kernel makes a reproduction wrong.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "ridge/driver/reproduce.h"
#include "ridge/ridge.h"
#include "trust.h"

namespace ridge::command {

namespace {

using nlohmann::ordered_json;

ordered_json to_json(const verify::Blame& verdict) {
  ordered_json trials = ordered_json::array();
  for (const verify::Blame::Trial& trial : verdict.trials) {
    trials.push_back(
        {{"setting", trial.knobs}, {"is_right", trial.wrong.empty()}, {"what", trial.wrong}});
  }
  return {{"verdict", name(verdict.kind)},
          {"culprit", verdict.culprit},
          {"ops", verdict.ops},
          {"lines", verdict.lines},
          {"what", verdict.what},
          {"since", verdict.since},
          {"workaround", verdict.workaround},
          {"has_random_inputs", verdict.has_random_inputs},
          {"trials", std::move(trials)}};
}

// What cannot be read or run at all is a mistake in what was asked for: 1 is for what was found.
verify::Blame verdict_on(const std::string& path, verify::Trust trust) {
  try {
    return driver::bisect(verify::read_reproduction(path), trust);
  } catch (const Error& error) {
    throw CLI::ValidationError(error.what());
  }
}

void run_bisect(const std::string& path, verify::Trust trust, bool as_json) {
  const verify::Blame verdict = verdict_on(path, trust);
  std::cout << (as_json ? to_json(verdict).dump() + "\n" : to_text(verdict));
  if (verdict.kind != verify::Blame::Kind::nothing) throw CLI::RuntimeError(1);
}

}  // namespace

void add_bisect(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bisect", "Find the pass, fusion or kernel that makes a reproduction give wrong results");
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  auto trusts = std::make_shared<bool>(false);
  command
      ->add_option("reproduction", *path,
                   "The folder that an error named, or a graph.ir, which is run on random inputs "
                   "where there is no inputs.ir beside it")
      ->required();
  command->add_flag("--json", *as_json, "Print one JSON object");
  command->add_flag("--trust", *trusts, kTrustHelp);
  command->footer(
      "Runs it as recorded, without each optional pass, without fusion and kernel by kernel, and\n"
      "compares with the reference. RIDGE_VERIFY=3 leaves a reproduction where a program is "
      "wrong.\n"
      "Exit code: 0 when nothing is wrong, 1 when something is, 2 for wrong usage.\n"
      "Example:\n"
      "  ridge bisect /tmp/ridge_repro_step.k3Xb0q");
  command->callback([path, as_json, trusts] { run_bisect(*path, trust_of(*trusts), *as_json); });
}

}  // namespace ridge::command
