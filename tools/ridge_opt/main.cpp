// ridge-opt: runs passes on the text of a graph, and shows the kernels it becomes. The result goes
// to stdout, messages to stderr.
// Exit codes: 0 done, 1 failed, 2 wrong usage.
#include <CLI/CLI.hpp>
#include <iostream>
#include <sstream>

#include "emit.h"
#include "map.h"
#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/pass.h"
#include "ridge/ridge.h"

namespace {

using ridge::graph::Pass;

std::string read_text(const std::string& path) {
  return path == "-" ? ridge::read_standard_input() : ridge::read_file(path);
}

std::vector<Pass> passes_named(const std::string& names) {
  std::vector<Pass> passes;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    const auto all = ridge::graph::standard_passes();
    if (name == "all") {  // matches: every pass; the op of that name is no pass
      passes.insert(passes.end(), all.begin(), all.end());
    } else {
      passes.push_back(ridge::graph::find_pass(name));
    }
  }
  return passes;
}

void run(const std::string& path, const std::vector<Pass>& passes, ridge::opt::Emit emit,
         bool has_gradients, bool reports) {
  ridge::graph::Graph graph =
      ridge::graph::read(read_text(path), path == "-" ? "standard input" : path);
  if (has_gradients) graph = ridge::opt::with_gradients(std::move(graph));
  ridge::graph::PassContext context;
  graph = ridge::graph::run_passes(std::move(graph), passes, context);
  std::cout << ridge::opt::emitted(graph, emit);
  if (reports) std::cerr << context.to_text() << "\n";
}

int run_command(int argc, char** argv) {
  CLI::App app(
      "ridge-opt: reads the text of a graph, runs passes over it and prints what it becomes",
      "ridge-opt");
  std::string names;
  std::string path = "-";
  std::string form = "graph", mapping, device = "h200";
  bool has_gradients = false, lists = false, verifies = false, reports = false;
  app.add_option("--pass", names, "passes to run, in order: a,b; `all` for the standard ones");
  app.add_option("--emit", form,
                 "what to print: the graph, or the kernels it becomes after all passes (or those "
                 "of --pass), for the CPU, for a GPU, as LLVM's text for an x86-64 with AVX2, or "
                 "as CUDA C++ for sm_90")
      ->check(CLI::IsMember({"graph", "loop", "gpu-loop", "llvm", "cuda"}))
      ->capture_default_str();
  app.add_option("file", path, "the graph; - for standard input")->capture_default_str();
  app.add_option("--map", mapping,
                 "the file is the text of a kernel: print it in this mapping "
                 "(ridge/mapping/mapping.h)");
  app.add_option("--device", device, "with --map: the sheet of the device")->capture_default_str();
  app.add_flag("--gradients", has_gradients,
               "first append the gradients of all floating outputs by all floating inputs");
  app.add_flag("--list", lists, "the names of the passes");
  app.add_flag("--verify", verifies, "check the graph before, between and after");
  app.add_flag("--report", reports, "what each pass did and how long it took, on stderr");
  app.footer(
      "Examples:\n"
      "  ridge-opt --pass=functionalize,eliminate_dead_code captured.ir\n"
      "  ridge-opt --emit=loop captured.ir\n"
      "  ridge-opt --map='product wgmma 128x256x64 cooperative 2 stages 4' product.loop");
  try {
    app.parse(argc, argv);
    ridge::check_environment();
    if (lists) {
      for (const Pass& pass : ridge::graph::standard_passes()) std::cout << pass.name << "\n";
      return 0;
    }
    std::optional<ridge::ScopedKnob> verify;
    if (verifies) verify.emplace(ridge::Knob::verify, 3);
    if (!mapping.empty()) {
      std::cout << ridge::opt::mapped(read_text(path), path, mapping, device);
      return 0;
    }
    const ridge::opt::Emit emit = ridge::opt::emit_named(form);
    if (names.empty() && emit != ridge::opt::Emit::graph) names = "all";
    run(path, passes_named(names), emit, has_gradients, reports);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << "ridge-opt: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return ridge::finish_output("ridge-opt", run_command(argc, argv));
}
