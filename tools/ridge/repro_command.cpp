// `ridge repro`: compiles again, and runs, what an internal error left in a folder.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "commands.h"
#include "ridge/driver/reproduce.h"
#include "ridge/ridge.h"
#include "trust.h"

namespace ridge::command {

namespace {

void run(const std::string& folder, verify::Trust trust) {
  bool is_run = false;
  try {
    is_run = driver::reproduce(folder, trust);
  } catch (const Error& error) {
    const bool fails_again = error.code() == ErrorCode::internal;
    if (fails_again) std::cerr << "ridge: " << folder << " fails again\n";
    throw;  // the command prints it and ends with 1
  }
  std::cout << folder << (is_run ? " compiles and runs" : " compiles")
            << ": the failure is gone, or needs more than its graph and knobs\n";
}

}  // namespace

void add_repro(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "repro",
      "Compile, and run, what an internal error left in a folder, under the knobs recorded there");
  auto folder = std::make_shared<std::string>();
  command
      ->add_option("folder", *folder,
                   "As the error named it: graph.ir, inputs.ir, knobs.txt, error.txt and others")
      ->required();
  auto trusts = std::make_shared<bool>(false);
  command->add_flag("--trust", *trusts, kTrustHelp);
  command->footer(
      "Exit code: 0 when it compiles and runs, 1 when it fails again.\n"
      "RIDGE_... variables set now win over the recorded ones:\n"
      "  RIDGE_DISABLE=fuse ridge repro /tmp/ridge_repro_step.k3Xb0q");
  command->callback([folder, trusts] { run(*folder, trust_of(*trusts)); });
}

}  // namespace ridge::command
