// The plan of a program: kernels in order, and where every value lives.
//
// Comes in: a functional, decomposed graph, and the strides of its inputs. Goes out: loop kernels
// and the buffers they are launched with; the linker turns that into a program of `execute`.
//
//   buffers: 0 = input x, 1 = output 0, 2 = 4096 bytes of the arena at 0
//   calls:   fused_add_gelu(0, 2)    sum(2, 1)
//
// Invariants: temporaries whose lives overlap do not overlap in the arena; an input that is updated
// is written by the last kernel that touches it, or by a copy at the end.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridge/core/arena.h"
#include "ridge/core/kernel_abi.h"
#include "ridge/graph/graph.h"
#include "ridge/loop/loop.h"
#include "ridge/mapping/mapping.h"
#include "ridge/mapping/work.h"
#include "ridge/schedule/contraction_product.h"
#include "ridge/schedule/fuse.h"

namespace ridge::schedule {

enum class Target : uint8_t { cpu, gpu };

// Who computes matrix products where the target has a library for them (RIDGE_LIBRARY).
enum class LibraryUse : uint8_t {
  never,      // kernels in tiles of a mapping
  automatic,  // whichever is predicted to be faster
  always,     // the library where it can, else kernels without a mapping
};
// "never", "auto", "always"; Error{value} for other words.
LibraryUse library_use(std::string_view word);

struct Options {
  Target target = Target::cpu;
  bool fuses = true;  // off: each node gets its own kernel
  Chains chains = Chains::if_faster;
  bool batches = true;  // equal maps become one launch; not where nothing is fused
  // Is there a library for plain products on the target? They then stay by themselves.
  bool has_library_products = false;
  LibraryUse library = LibraryUse::always;
  bool shares =
      true;  // groups that are alike are lowered once; off only to see that it is the same
  // What kernels are priced on; without one, a stand-in for the target.
  std::shared_ptr<const cost::Sheet> sheet{};
  // On a CPU, take the n-th way to map each kernel that has several, or its last: to compare them.
  std::optional<size_t> mapping{};
  // Strides of inputs, by number; an empty list, or an empty entry, means row-major.
  std::vector<std::optional<Shape>> input_strides{};
  // Nodes whose fused kernel does not compile: each gets a kernel of its own.
  std::vector<int32_t> unfused{};
};

struct PlannedBuffer {
  BufferKind kind;
  int32_t index;  // which input or output
  ValueId value;  // the first one stored in it
  DType dtype;
  Shape shape;
  // Of a temporary in the arena, for sizes as expected where they are symbolic; -1 where it is
  // allocated by itself, because only copies after the last kernel need it.
  int64_t offset = -1;
};

struct KernelCall {
  loop::Kernel kernel;
  std::vector<int> buffers;    // by global buffer of the kernel; none of a batch
  std::vector<Expr> sizes;     // by param of the kernel: symbols of the graph, or numbers
  std::vector<int32_t> nodes;  // what it computes, inlined nodes included
  Size bytes = 0;              // that go to and from memory, each element of a buffer once
  Size flops = 0;
  GroupKind kind = GroupKind::map;
  std::vector<Decision> decisions{};  // how it was mapped, and how else it could have been
  // Which nodes can make it report what: bad indices, divisors, exponents.
  struct Check {
    int32_t node;
    KernelStatus status;
  };
  std::vector<Check> checks{};
  // Values that are in memory, whole, when it has run, and how they lie there: none of a kernel before
  // the last of its group. Of a copy, the value that is copied.
  struct Stored {
    ValueId value;
    int buffer;
    Shape strides;
  };
  std::vector<Stored> stored{};
  // Of a batch, Note [Batch] in batch.h: the kernel runs once for each of them, in any order, all in
  // one launch. Its param is their count, `sizes` has that of all together.
  struct Entry {
    std::vector<int> buffers;  // by global buffer of the kernel
    int64_t count;
  };
  std::vector<Entry> entries{};
  // Of a product in tiles: how, and what that was decided from. `sizes` are as expected.
  struct MappedProduct {
    mapping::Mapping mapping;
    mapping::Work work;
  };
  std::optional<MappedProduct> mapped{};
  // Where the kernel is nothing but this, and the target has a library for it: a launch of the
  // library does the same. The kernel stays, for where the library declines.
  std::optional<Product> product{};
};

// The sizes of a call as they are or are expected to be, those of a batch as if it were one tensor:
// to price it with. Nothing if there is a symbol nobody expects anything of.
std::optional<std::vector<int64_t>> expected_sizes(const KernelCall& call);
std::optional<std::vector<int64_t>> expected_values(std::span<const Expr> sizes);

// Each time that the kernel of a call runs: once, or once for each entry.
struct KernelRun {
  std::vector<int> buffers;
  std::vector<Expr> sizes;
};
std::vector<KernelRun> runs_of(const KernelCall& call);

struct Plan {
  std::vector<PlannedBuffer> buffers;
  std::vector<KernelCall> calls;
  std::vector<int> outputs;  // buffer of each output of the graph
  ArenaPlan arena{};         // lays it out for other sizes than expected
  int64_t arena_bytes = 0;   // for sizes as expected
  std::vector<FusionDecision> decisions;
  std::shared_ptr<const cost::Sheet> sheet;  // what it was priced on
  // Bytes that the program touches between two launches of a kernel, as fusion, the choice of
  // mappings and the table of kernels all take it (kernel_call.h).
  double resident = 0;
  bool maps_products = false;  // those that some mapping fits are in tiles of it
  // Does every index of every kernel fit into 32 bits, by guards on the symbols? Without symbols
  // kernels are looked at one by one.
  bool fits_32_bits = false;
};

Plan schedule(const Graph& graph, const Options& options);
// The same for a graph whose nodes were given definitions: eager calls, with dimensions merged.
Plan schedule(const InlinedGraph& program, const Options& options);

}  // namespace ridge::schedule
