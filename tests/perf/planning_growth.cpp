// Planning a training step takes time in proportion to its layers.
//
//   planning_growth cpu 24 48 96       time of the processor by stage, for steps of so many layers
//   planning_growth h200 24            the same as planned for the sheet of a GPU that is not here
//   planning_growth cpu 24 gpt2        layers of GPT-2's size
//
// A step is a small language model with AdamW: capture with the gradient, passes, what the gradient keeps
// with fusion and lowering, and the plan as plain data. The CUDA texts of the kernels that differ do not
// count, since layers share them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "gpt_step.h"
#include "ridge/capture/capture.h"
#include "ridge/codegen/cuda/generate.h"
#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "ridge/linker/cuda_kernels.h"
#include "ridge/linker/link.h"
#include "ridge/recompute/recompute.h"
#include "ridge/ridge.h"

namespace {

using ridge::Tensor;

double milliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

ridge::schedule::Options options_for(const std::string& device) {
  if (device == "cpu") return ridge::linker::options_for(ridge::kCpu);
  return ridge::linker::options_for(ridge::cost::find_sheet(device));
}

// Each kernel that no library takes, once.
void write_texts(const ridge::schedule::Plan& plan) {
  std::set<std::string> written;
  for (const ridge::schedule::KernelCall& call : plan.calls) {
    if (call.product || !written.insert(call.kernel.name).second) continue;
    ridge::codegen::generate(call.kernel,
                             {.fits_32_bits = true, .batch = ridge::linker::batch_shape(call)});
  }
}

void plan(const std::string& device, ridge::command::GptSizes sizes) {
  ridge::Generator generator(1);
  ridge::command::Gpt model(sizes, generator);
  ridge::nn::AdamW<ridge::command::Gpt> optimizer(model);
  const Tensor tokens = ridge::full({2, sizes.tokens}, 1, ridge::i64), targets = tokens;
  const auto step = &ridge::command::gpt_step;
  std::vector<double> times{milliseconds()};
  const ridge::graph::Graph captured =
      ridge::capture::capture(step, {.name = "step"}, model, optimizer, tokens, targets).graph;
  times.push_back(milliseconds());
  ridge::graph::PassContext context;
  const ridge::graph::Graph graph =
      ridge::graph::run_passes(captured, ridge::graph::standard_passes(), context);
  times.push_back(milliseconds());
  const ridge::recompute::PlannedGraph planned =
      ridge::recompute::planned_for(graph, options_for(device));
  times.push_back(milliseconds());
  const ridge::execute::ExecutablePlan linked =
      ridge::linker::executable_plan(planned.plan, planned.graph);
  times.push_back(milliseconds());
  if (planned.plan.sheet->kind == ridge::cost::SheetKind::gpu) write_texts(planned.plan);
  times.push_back(milliseconds());
  std::printf("%-5s %4zu layers %6zu nodes %5zu calls:", device.c_str(),
              static_cast<size_t>(sizes.layers), graph.nodes.size(), planned.plan.calls.size());
  const char* const stages[] = {"capture", "passes", "plan", "link", "texts"};
  for (size_t i = 0; i < std::size(stages); ++i) {
    std::printf(" %s %.1f", stages[i], times[i + 1] - times[i]);
  }
  std::printf(" all %.1f ms\n", times[4] - times[0]);
}

}  // namespace

int main(int count, char** words) {
  ridge::command::GptSizes sizes{1, 32, 4, 64, 16};
  if (count > 2 && std::strcmp(words[count - 1], "gpt2") == 0) {
    sizes = {};
    --count;
  }
  for (int i = 2; i < count; ++i) {
    sizes.layers = std::atoi(words[i]);
    plan(words[1], sizes);
  }
}
