// The `ridge` command. Data goes to stdout, messages to stderr.
// Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a threshold that was asked for is not met, 128 and its
// number after a signal (130: Ctrl-C).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "commands.h"
#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/ridge.h"

namespace {

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

// `ridge help sweep matmul` is `ridge sweep matmul --help`.
void show_help(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string before;
  for (const std::string& word : words) {
    const auto commands = command->get_subcommands([](const CLI::App*) { return true; });
    const auto found = std::ranges::find(commands, word, &CLI::App::get_name);
    if (found == commands.end()) {
      const std::string guess = ridge::did_you_mean(word, names_of(commands));
      throw CLI::ValidationError(
          ridge::concat("`", word, "` is no command", guess.empty() ? "" : "; ", guess));
    }
    before += (before.empty() ? "" : " ") + command->get_name();
    command = *found;
  }
  // Not its own help(), which is that of the subcommand given, and that is `help`.
  std::cout << command->get_formatter()->make_help(
      command, before.empty() ? app.get_name() : before + " " + command->get_name(),
      CLI::AppFormatMode::Normal);
}

void add_help(CLI::App& app) {
  CLI::App* command = app.add_subcommand("help", "Show the commands, or what one of them takes");
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("command", *words, "The command, and its subcommand");
  command->footer("Example:\n  ridge help roofline");
  command->callback([&app, words] { show_help(app, *words); });
}

// CLI11 reports an unknown command as an extra argument; people deserve a suggestion.
int report_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const bool is_help = error.get_exit_code() == 0;
  if (is_help) return app.exit(error);
  std::cerr << "ridge: " << error.what() << "\n";
  const std::vector<std::string> names = names_of(app.get_subcommands({}));
  if (argc > 1 && app.get_subcommands().empty()) {
    if (const auto closest = ridge::closest_name(argv[1], names)) {
      std::cerr << "did you mean `ridge " << *closest << "`?\n";
    }
  }
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    std::cerr << "`ridge --help` lists the commands\n";
  } else {
    std::cerr << "`ridge " << chosen.front()->get_name() << " --help` says more\n";
  }
  return 2;
}

int run_command(int argc, char** argv) {
  CLI::App app("ridge: a deep-learning compiler and runtime that judges by the roofline", "ridge");
  app.set_version_flag("--version", RIDGE_VERSION);
  app.require_subcommand(0, 1);
  app.footer(
      "Examples:\n"
      "  ridge ops                 every op with its schema\n"
      "  ridge ops softmax         one op: its record and who runs it\n"
      "  ridge knobs               what RIDGE_... variables exist and what they are set to\n"
      "  ridge devices h200        what a device can do, where each figure comes from\n"
      "  ridge demo                train a vision transformer, compiled, and compare with eager\n"
      "  ridge chat MODEL.gguf     talk with a language model; tokens a second beside the floor\n"
      "  ridge finetune MODEL.gguf --text FILE --seconds 30\n"
      "                            train a small change of it\n"
      "  ridge embed FOLDER TEXT   a vector for each text\n"
      "  ridge explain --example attention\n"
      "                            each kernel of a program: floor, time, what binds it\n"
      "  ridge repro FOLDER        compile what an internal error left behind, again\n"
      "  ridge bisect FOLDER       which pass, fusion or kernel makes it wrong\n"
      "  ridge products --predict  matrix products in generated tiles, how and how fast\n"
      "  ridge roofline matmul 240x8192x8192 --device tpu-v5e\n"
      "                            what an operation needs on a device, no hardware needed\n"
      "  ridge sweep matmul --device h200 --svg matmul.svg\n"
      "                            predicted rates over N, and why they drop");
  ridge::command::add_ops(app);
  ridge::command::add_knobs(app);
  ridge::command::add_devices(app);
  ridge::command::add_demo(app);
  ridge::command::add_repro(app);
  ridge::command::add_bisect(app);
  ridge::command::add_bench(app);
  ridge::command::add_products(app);
  ridge::command::add_roofline(app);
  ridge::command::add_sweep(app);
  ridge::command::add_explain(app);
  ridge::command::add_chat(app);
  ridge::command::add_embed(app);
  ridge::command::add_finetune(app);
  add_help(app);
  try {
    ridge::check_environment();
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) std::cout << app.help();
    return 0;
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();  // a command said so, and has said why
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error, argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "ridge: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) { return ridge::finish_output("ridge", run_command(argc, argv)); }
