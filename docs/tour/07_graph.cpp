// Lesson 7: a function as a graph.
//
// Capturing runs a function once on fake tensors, tensors that have a shape and no elements: every op
// it calls becomes a node. Passes then make the graph simpler, and it can be run again, op by op.
#include <cstdio>
#include <iostream>
#include <string>

#include "ridge/capture/capture.h"
#include "ridge/capture/scope.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/replay.h"
#include "ridge/ridge.h"

using namespace ridge;

// The text of a graph without the folders of files, so that this lesson reads the same everywhere.
std::string text_of(const graph::Graph& graph) {
  std::string text = to_text(graph);
  for (size_t at = 0; (at = text.find("// ", at)) != std::string::npos; at += 3) {
    const size_t end = text.find('\n', at);
    const size_t slash = text.rfind('/', end);
    if (slash > at + 2) text.erase(at + 3, slash - at - 2);
  }
  return text;
}

// Counts its calls in an argument, and computes something roundabout.
Tensor squash(Tensor& calls, const Tensor& x) {
  add_(calls, 1);
  const LayerScope layer = scope("squash");
  const Tensor unused = exp(x);
  const Tensor average = mean(x);
  const Tensor centered = x * 1 - average;
  const Tensor deviation = sqrt(mean(square(x - mean(x))));
  return tanh(centered / deviation);
}

int main() {
  Tensor calls = zeros({});
  const Tensor x = Tensor::of<float>({-1, 0, 1, 2}, {4});
  const capture::Captured captured =
      capture::capture(squash, {.name = "squash", .argument_names = {"calls", "x"}}, calls, x);
  std::cout << text_of(captured.graph) << "\n";

  // One pass at a time. A write becomes a value and, at the end, an update of the input; ops made
  // of others are taken apart; what changes no result goes.
  graph::Graph graph = captured.graph;
  for (const graph::Pass& pass : graph::standard_passes()) {
    graph::PassContext context;
    graph = graph::run_passes(std::move(graph), {&pass, 1}, context);
    const bool is_changed = context.runs[0].outcome == graph::PassRun::Outcome::changed;
    std::printf("%-22s %s\n", pass.name.data(), is_changed ? "changed" : "nothing to do");
  }
  std::cout << "\n" << text_of(graph) << "\n";

  // Text reads back as the same graph, and replaying one computes what the function computed.
  std::cout << "reads back: " << (hash(graph::parse(to_text(graph))) == hash(graph) ? "yes" : "no")
            << "\n";
  const Tensor replayed = graph::replay(graph, std::vector<Tensor>{calls, x})[0];
  std::cout << "replayed: " << replayed << "\n";
  std::cout << "called:   " << squash(calls, x) << "\n";
  std::cout << "calls:    " << calls << "\n";
  // Now set RIDGE_DEBUG=6 and look: the graph after each pass that changed it.
}
