// Lesson 8: compile makes a program of a function.
//
// The first call captures the function and turns the graph into few kernels; later calls with
// arguments of the same kind run them. Arguments of another kind get a program of their own.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>

#include "ridge/capture/constant.h"
#include "ridge/driver/entry.h"
#include "ridge/execute/launch_counts.h"
#include "ridge/linker/kernel_cache.h"
#include "ridge/ridge.h"
#include "ridge/schedule/plan.h"

using namespace ridge;

Tensor layer(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return softmax(gelu(matmul(x, weight) + bias), -1);
}

struct Cost {
  int64_t kernels = 0, bytes = 0;
};

// What a plan of a graph costs: the kernels it launches and the bytes they move.
Cost cost_of(const graph::Graph& graph, bool fuses) {
  const schedule::Plan plan = schedule::schedule(graph, {.fuses = fuses});
  Cost cost;
  for (const schedule::KernelCall& call : plan.calls) {
    ++cost.kernels;
    cost.bytes += call.bytes.value();
  }
  return cost;
}

// The kernels that running something really launches; none where the build has no LLVM.
template <class Function>
int64_t launched(Function function) {
  execute::LaunchCounts counts;
  const execute::CountLaunches scope(counts);
  function();
  return counts.kernels;
}

// Prints the error without its hint and folder, so that this lesson reads the same everywhere.
template <class Mistake>
void show(Mistake mistake) {
  try {
    mistake();
  } catch (const Error& error) {
    std::string text = error.what();
    text.erase(std::min(text.size(), text.find("; hint")));
    const size_t end = text.rfind("08_compile.cpp");
    const size_t start = text.rfind(' ', end);
    if (end != std::string::npos) text.erase(start + 1, end - start - 1);
    std::cout << text << "\n";
  }
}

int main() {
  Generator generator(42);
  const Tensor x = uniform({32, 64}, generator, -1, 1);
  const Tensor weight = uniform({64, 100}, generator, -1, 1);
  const Tensor bias = uniform({100}, generator, -1, 1);

  const auto compiled = compile(layer, {.name = "layer", .argument_names = {"x", "w", "b"}});
  const Tensor y = compiled(x, weight, bias);
  const double difference = max(abs(y - layer(x, weight, bias))).item<double>();
  std::printf("differs from eager by less than 1e-6: %s\n", difference < 1e-6 ? "yes" : "no");

  // What the passes made of it, and what that costs: op by op, and with ops sharing kernels.
  const graph::Graph& graph = compiled.programs()[0]->compiled->graph();
  std::printf("ops:");
  for (const graph::Node& node : graph.nodes) std::printf(" %s", node.op->name().c_str());
  const Cost apart = cost_of(graph, false), fused = cost_of(graph, true);
  std::printf("\nop by op: %ld kernels, %ld bytes\n", apart.kernels, apart.bytes);
  std::printf("fused:    %ld kernels, %ld bytes\n\n", fused.kernels, fused.bytes);
  if (linker::kCanBuild && (launched([&] { layer(x, weight, bias); }) != apart.kernels ||
                            launched([&] { compiled(x, weight, bias); }) != fused.kernels)) {
    std::printf("but that is not what ran\n");
  }

  // Dtypes, shapes and strides are what a program is made for; elements are not.
  const auto made = [&] { return compiled.programs().size(); };
  compiled(x * 2, weight, bias);
  std::printf("programs after other elements: %zu\n", made());
  compiled(slice(x, 0, 0, 8), weight, bias);
  std::printf("programs after 8 rows:         %zu\n", made());
  compiled(x, transpose(uniform({100, 64}, generator, -1, 1), 0, 1), bias);
  std::printf("programs after other strides:  %zu\n", made());
  const auto scaled = compile([](const Tensor& in, const Tensor& factor) { return in * factor; });
  for (const double factor : {0.5, 0.25}) scaled(x, factor);
  std::printf("programs for two numbers:      %zu\n\n", scaled.programs().size());

  // What a program cannot hold is an error at your line, and leaves the function callable.
  show([&] { compile([&](const Tensor& in) { return in + bias; })(zeros({100})); });
  show([&] { compile([](const Tensor& in) { return in * sum(in).item<double>(); })(bias); });
  show([&] { compiled(x, bias, weight); });
  const auto with_constant = compile([&](const Tensor& in) { return in + constant(bias); });
  std::cout << "as a constant: " << describe(with_constant(zeros({100}))) << "\n";
  // Now set RIDGE_DEBUG=4 and look: the code of every kernel as it is made.
}
