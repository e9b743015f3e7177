// Lesson 10: a kernel, read and counted.
//
// The scheduler turns a graph into kernels of the loop IR: loops with places on the machine,
// values, reductions, stores. Code generators print it; an interpreter runs it as the machine would,
// on any machine, and counts what memory costs.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "ridge/graph/pass.h"
#include "ridge/graph/recorder.h"
#include "ridge/loop/interpreter.h"
#include "ridge/ridge.h"
#include "ridge/schedule/plan.h"

using namespace ridge;

constexpr int64_t kRows = 64, kColumns = 128;

// The one kernel that a softmax becomes.
loop::Kernel softmax_kernel(int64_t dim, schedule::Target target) {
  graph::Graph graph;
  graph::Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {kRows, kColumns}}, "x");
  Tensor y;
  {
    const graph::Recorder::Scope scope(recorder);
    y = softmax(x, dim);
  }
  graph.outputs = {recorder.id(y)};
  graph::PassContext context;
  graph = graph::run_passes(std::move(graph), graph::standard_passes(), context);
  return schedule::schedule(graph, {.target = target}).calls.at(0).kernel;
}

// Runs a kernel on x and says what its accesses cost.
std::vector<float> run(const char* name, const loop::Kernel& kernel, std::vector<float> x) {
  std::vector<float> out(x.size());
  void* const buffers[] = {x.data(), out.data()};
  const loop::Counts counts = loop::run(kernel, buffers, {});
  std::printf("%-22s %5ld sectors, at best %4ld; bank conflicts %3ld\n", name,
              counts.loads.sectors + counts.stores.sectors,
              counts.loads.ideal_sectors + counts.stores.ideal_sectors, counts.bank_conflicts);
  return out;
}

// A 32 x 32 transpose through shared memory, rows of the tile `pitch` elements apart.
loop::Kernel transpose_kernel(const std::string& pitch) {
  std::string text = R"(kernel transpose(x: f32[1024] in, out: f32[1024] out) {
  shared tile: f32[1056]
  for i0 in 32 @gpu_thread {
    for i1 in 32 @gpu_thread {
      let v0: f32 = x[32 * i0 + i1]
      tile[PITCH * i0 + i1] = v0
      barrier
      let v1: f32 = tile[PITCH * i1 + i0]
      out[32 * i0 + i1] = v1
    }
  }
})";
  for (size_t at = 0; (at = text.find("PITCH")) != std::string::npos;) text.replace(at, 5, pitch);
  return loop::parse(text);
}

int main() {
  // On a CPU: rows go to threads, and along a row lanes of a vector. A reduction that needs the
  // result of another one makes one more pass over its row, which is in the cache by then.
  loop::Kernel on_cpu = softmax_kernel(-1, schedule::Target::cpu);
  on_cpu.name = "softmax";
  on_cpu.notes.clear();
  std::cout << to_text(on_cpu) << "\n";

  // On a GPU: some threads for each row, which hold it in registers between the passes. Memory moves in
  // sectors of 32 bytes, so 32 threads that read neighbors move 4 of them, as few as can be. Along
  // columns threads are neighbors too, each in a column of its own, and read it once for each pass.
  Generator generator(42);
  const auto x = uniform({kRows, kColumns}, generator, -1, 1).to_vector<float>();
  const loop::Kernel by_row = softmax_kernel(-1, schedule::Target::gpu);
  const loop::Kernel by_column = softmax_kernel(0, schedule::Target::gpu);
  const std::vector<float> on_gpu = run("softmax along rows", by_row, x);
  run("softmax along columns", by_column, x);

  // The same numbers from both mappings, up to the order of the sums.
  const std::vector<float> expected = run("softmax on a CPU", on_cpu, x);
  double difference = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    difference = std::max<double>(difference, std::abs(on_gpu[i] - expected[i]));
  }
  std::printf("differ by less than 1e-6: %s\n\n", difference < 1e-6 ? "yes" : "no");

  // Text is a kernel too. A column of a tile that is 32 wide lies in one bank of shared memory; one
  // element of padding for each row spreads it over all 32.
  const std::vector<float> tile(x.begin(), x.begin() + 1024);
  run("transpose, 32 wide", transpose_kernel("32"), tile);
  run("transpose, 33 wide", transpose_kernel("33"), tile);

  // Without the barrier threads read what others may not have written yet: the interpreter knows.
  loop::Kernel hasty = transpose_kernel("33");
  auto& body = std::get<loop::Loop>(std::get<loop::Loop>(hasty.body[0].kind).body[0].kind).body;
  std::erase_if(body, [](const loop::Statement& statement) {
    return std::holds_alternative<loop::Barrier>(statement.kind);
  });
  try {
    run("transpose, hasty", hasty, tile);
  } catch (const Error& error) {
    std::printf("without a barrier: %s\n", error.given().c_str());
  }
  // Now set RIDGE_DEBUG=5 for lesson 8 and look: its kernels in this language.
}
