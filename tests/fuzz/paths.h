// The ways to run a graph, and what each of them got wrong.
//
//   text          the text of the graph reads back as the same graph
//   reference     op by op, by the reference backend
//   batched       likewise, as an example of a batch
//   eager         op by op, by the backend of the CPU
//   cpu, gpu      kernels scheduled for that machine, run by the loop interpreter
//   compiled      machine code, in guarded memory; on one thread, in another order, on all threads
//   program       compiled as a user would
//   symbolic      the same at several sizes, of which one program serves most (symbolic_runs.h)
//   cuda          the same on a GPU; only where asked for, since a process that has looked for a GPU
//                 must not fork
//
// Programs with control flow are not one plan, so cpu, gpu and compiled leave them to the others; batched
// and symbolic leave graphs of millions of elements to the others.
//
// Kernels run in guarded memory, twice: each buffer at the end and at the start of its pages.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tests/fuzz/coverage.h"
#include "tests/fuzz/oracle.h"

namespace ridge::fuzz {

enum class Path { text, reference, batched, eager, cpu, gpu, compiled, program, symbolic, cuda };
std::string_view name(Path path);
std::optional<Path> find_path(std::string_view name);
std::span<const Path> all_paths();

// Defects put in on purpose, to see that they are found.
enum class Plant { none, value, stray };

struct RunOptions {
  std::optional<Path> only{};
  Plant plant = Plant::none;            // in compiled kernels
  std::function<void(Path)> on_path{};  // called before each: a crash is known by the last one
};

struct Failure {
  Path path;
  std::string message;
};

struct RunCounts {
  int64_t nodes = 0;
  int64_t kernels = 0;
  JudgedCounts judged{};
  Coverage coverage{};
};

// Throws NotJudgeable if there is no right answer to compare with.
std::optional<Failure> run_case(const Case& given, const RunOptions& options, RunCounts& counts);

}  // namespace ridge::fuzz
