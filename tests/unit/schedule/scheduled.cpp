#include "scheduled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <sstream>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "ridge/graph/recorder.h"
#include "ridge/graph/replay.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"

namespace ridge::testing {

std::shared_ptr<const cost::Sheet> small_device(int sms, int shared_kib, bool has_slow_memory) {
  std::string text;
  std::istringstream lines(cost::to_text(*cost::find_sheet("h200")));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("check")) continue;
    if (line.starts_with("figure") && line.find(" units ") != std::string::npos) {
      line = concat("figure units ", sms, " source=xla");
    }
    if (line.find(" units.cluster ") != std::string::npos) {
      line = concat("figure units.cluster ", sms, " source=xla");
    }
    if (line.find(" shared.bytes ") != std::string::npos) {
      line = concat("figure shared.bytes ", shared_kib, " KiB source=xla");
    }
    if (has_slow_memory && line.find(" l2.bytes ") != std::string::npos) {
      line = "figure l2.bytes 1 KiB source=xla";
    }
    for (const std::string_view rate : {"dram.peak", "dram.read", "dram.write", "dram.copy"}) {
      if (has_slow_memory && line.find(concat(" ", rate, " ")) != std::string::npos) {
        line = concat("figure ", rate, " 1 GB/s source=xla");
      }
    }
    text += line + "\n";
  }
  return std::make_shared<const cost::Sheet>(cost::parse_sheet(text, "small"));
}

graph::Type floats(const Shape& shape) { return {f32, shape, kCpu, false}; }

graph::Graph graph_of(const std::vector<graph::Type>& inputs, const Function& function) {
  graph::Graph graph;
  graph::Recorder recorder(graph);
  std::vector<Tensor> fakes;
  for (const graph::Type& type : inputs) fakes.push_back(recorder.input(type));
  {
    const graph::Recorder::Scope scope(recorder);
    for (const Tensor& output : function(fakes)) graph.outputs.push_back(recorder.id(output));
  }
  graph::PassContext context;
  return graph::run_passes(std::move(graph), graph::standard_passes(), context);
}

std::vector<Tensor> random_inputs(const graph::Graph& graph, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Tensor> inputs;
  for (const graph::ValueId id : graph.inputs) {
    const graph::Type& type = graph[id].type;
    std::vector<float> values(static_cast<size_t>(numel(type.shape).value()));
    for (float& value : values) {
      value = static_cast<float>(static_cast<double>(random.next() >> 11) * 0x1p-52 - 1);
    }
    inputs.push_back(cast(Tensor::of(values, type.shape), type.dtype));
  }
  return inputs;
}

// No number to start with, so that what nobody has written is found in what is read.
static Tensor unwritten(const schedule::PlannedBuffer& buffer) {
  const Tensor result = Tensor::empty(buffer.shape, buffer.dtype);
  if (is_floating(buffer.dtype)) {
    std::memset(result.raw_data(), 0xff, bytes_for(buffer.dtype, *result.numel().known()));
  }
  return result;
}

std::vector<Tensor> run_plan(const graph::Graph& graph, const schedule::Plan& plan,
                             const std::vector<Tensor>& inputs, const RunCall& run) {
  std::vector<Tensor> memory;
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    switch (buffer.kind) {
      case BufferKind::input: memory.push_back(inputs[static_cast<size_t>(buffer.index)]); break;
      case BufferKind::constant: memory.push_back(graph[buffer.value].constant); break;
      case BufferKind::output:
      case BufferKind::temporary: memory.push_back(unwritten(buffer)); break;
    }
  }
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    for (const schedule::KernelRun& one : schedule::runs_of(plan.calls[i])) {
      std::vector<void*> buffers;
      for (const int id : one.buffers)
        buffers.push_back(memory[static_cast<size_t>(id)].raw_data());
      std::vector<int64_t> sizes;
      for (const expr::Expr& size : one.sizes) sizes.push_back(size->integer);
      run(i, buffers, sizes);
    }
  }
  std::vector<Tensor> outputs;
  for (const int id : plan.outputs) outputs.push_back(memory[static_cast<size_t>(id)]);
  return outputs;
}

Interpreted interpret(const graph::Graph& graph, const schedule::Plan& plan,
                      const std::vector<Tensor>& inputs, const loop::Options& options) {
  Interpreted result;
  const auto run = [&](size_t call, std::span<void* const> buffers,
                       std::span<const int64_t> sizes) {
    const loop::Kernel& kernel = plan.calls[call].kernel;
    loop::verify(kernel);
    const loop::Counts counts = loop::run(kernel, buffers, sizes, options);
    EXPECT_EQ(counts.status, KernelStatus::ok);
    result.loaded += counts.loads.elements;
    result.stored += counts.stores.elements;
    result.sectors += counts.loads.sectors + counts.stores.sectors;
    result.ideal_sectors += counts.loads.ideal_sectors + counts.stores.ideal_sectors;
    result.bank_conflicts += counts.bank_conflicts;
    result.shared_accesses += counts.shared_loads.accesses + counts.shared_stores.accesses;
  };
  result.outputs = run_plan(graph, plan, inputs, run);
  return result;
}

std::vector<Tensor> expected_outputs(const graph::Graph& graph, const std::vector<Tensor>& inputs) {
  const reference::UseReference scope;
  return graph::replay(graph, inputs);
}

void expect_near(const std::vector<Tensor>& ours, const std::vector<Tensor>& expected,
                 double length) {
  ASSERT_EQ(ours.size(), expected.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    ASSERT_EQ(to_text(ours[i].shape()), to_text(expected[i].shape()));
    const auto a = ours[i].to_vector<double>(), b = expected[i].to_vector<double>();
    double largest = 1;
    for (const double value : b) largest = std::max(largest, std::abs(value));
    for (size_t j = 0; j < a.size(); ++j) {
      EXPECT_NEAR(a[j], b[j], epsilon(f32) * (8 + 2 * std::sqrt(length)) * largest)
          << "output " << i << ", element " << j;
    }
  }
}

size_t count_wrong(const std::vector<Tensor>& ours, const std::vector<Tensor>& expected,
                   double points) {
  EXPECT_EQ(ours.size(), expected.size());
  size_t wrong = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto a = ours[i].to_vector<double>(), b = expected[i].to_vector<double>();
    double largest = 1;
    for (const double value : b) largest = std::max(largest, std::abs(value));
    const double bound =
        (2 * epsilon(expected[i].dtype()) + epsilon(f32) * (8 + 2 * std::sqrt(points))) * largest;
    for (size_t j = 0; j < a.size(); ++j) wrong += std::abs(a[j] - b[j]) <= bound ? 0 : 1;
  }
  return wrong;
}

Interpreted expect_as_reference(const graph::Graph& graph, const schedule::Plan& plan,
                                double points) {
  const reference::UseReference scope;
  const std::vector<Tensor> inputs = random_inputs(graph);
  const std::vector<Tensor> expected = expected_outputs(graph, inputs);
  Interpreted ours = interpret(graph, plan, inputs);
  EXPECT_EQ(ours.outputs.size(), expected.size());
  for (size_t i = 0; i < std::min(ours.outputs.size(), expected.size()); ++i) {
    EXPECT_EQ(count_wrong({ours.outputs[i]}, {expected[i]}, points), 0u)
        << "elements of output " << i;
  }
  return ours;
}

}  // namespace ridge::testing
