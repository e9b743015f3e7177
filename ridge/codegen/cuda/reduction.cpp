// Reductions: in a thread, and over the lanes of a warp, a block, a cluster.
#include <algorithm>
#include <limits>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/emission.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::codegen::cuda {
namespace {

using loop::Combine;

void use_extremum(Emission& emission, Combine combine, CppType type) {
  const std::string_view kind = type == CppType::f32   ? "float_"
                                : type == CppType::f64 ? "double_"
                                                       : "integer_";
  emission.use(concat(kind, loop::name(combine)));
}

class ReductionWriter {
 public:
  ReductionWriter(Emission& emission, const loop::CollectiveReduce& collective)
      : emission_(emission),
        value_(emission.text_of(collective.value)),
        type_(emission.value_types[static_cast<size_t>(collective.value)]),
        combine_(collective.combine),
        combiner_(combiner(emission, collective.combine, type_)),
        block_(static_cast<int>(*loop::block_threads(emission.kernel))) {
    const int whole = collective.scope == loop::Scope::warp ? kWarp : block_;
    threads_ = collective.threads == 0 ? whole : collective.threads;
    if (collective.scope == loop::Scope::cluster) {
      blocks_ = static_cast<int>(loop::cluster_blocks(emission.kernel));
    }
  }

  bool is_of_cluster() const { return blocks_ > 1; }

  bool is_of_warp() const { return threads_ <= kWarp; }

  void reduce_warp() {
    const int lanes = is_of_warp() ? threads_ : kWarp;
    if (combine_ == Combine::any && type_ == CppType::boolean && lanes == kWarp) {
      return emission_.out.line(value_, " = __any_sync(0xffffffffu, ", value_, ");");
    }
    emission_.use("warp_reduce");
    emission_.out.line(value_, " = ridge::warp_reduce<", lanes, ">(", value_, ", ", combiner_,
                       ");");
  }
  void store_partial() {
    emission_.use("block_reduce");
    declare_partials(block_ / kWarp);
    emission_.out.line("ridge::store_partial(", partials_, ", ", value_, ");");
  }
  void reduce_partials(std::string_view condition = "") {
    const int warps = threads_ / kWarp;
    const std::string from = threads_ == block_
                                 ? partials_
                                 : concat(partials_, " + threadIdx.x / ", threads_, " * ", warps);
    emission_.out.line(condition, value_, " = ridge::reduce_partials<", warps, ">(", from, ", ",
                       combiner_, ");");
  }

  void store_partial_in_cluster() {
    emission_.use("store_partial_in_cluster");
    declare_partials(blocks_);
    emission_.out.line("ridge::store_partial_in_cluster<", blocks_, ">(", partials_, ", ", value_,
                       ");");
  }
  // In a loop: a cluster barrier would wait for stores of the iteration before, an mbarrier does not.
  bool can_send() const { return is_of_cluster() && type_ == CppType::f32; }
  void send_to_cluster() {
    emission_.use("cluster_exchange");
    if (emission_.cluster_exchanges_name.empty())
      emission_.cluster_exchanges_name = emission_.names.add("cluster_exchanges");
    cluster_exchange_ =
        concat(emission_.cluster_exchanges_name, "[", emission_.cluster_exchange_count++, "]");
    round_ = emission_.names.add("round");
    emission_.reduction_declarations.push_back(concat("unsigned ", round_, " = 0;"));
    emission_.out.line("ridge::send_to_cluster(", cluster_exchange_, ", ", round_, ", ", value_,
                       ");");
  }
  void reduce_in_cluster() {
    emission_.out.line(value_, " = ridge::reduce_in_cluster(", cluster_exchange_, ", ", round_,
                       "++, ", combiner_, ");");
  }
  void reduce_cluster_partials() {
    emission_.use("block_reduce");
    emission_.out.line(value_, " = ridge::reduce_partials<", blocks_, ">(", partials_, ", ",
                       combiner_, ");");
  }

 private:
  void declare_partials(int count) {
    partials_ = emission_.names.add("partials");
    emission_.reduction_declarations.push_back(
        concat("__shared__ __align__(16) ", name(type_), " ", partials_, "[", count, "];"));
    const bool is_wide = type_ == CppType::f64 || type_ == CppType::int64;
    const int bytes = count * (is_wide ? 8 : type_ == CppType::boolean ? 1 : 4);
    emission_.partials_bytes += (bytes + 15) / 16 * 16;
  }

  Emission& emission_;
  std::string value_;
  CppType type_;
  Combine combine_;
  std::string combiner_, partials_, cluster_exchange_, round_;
  int block_;
  int threads_ = 0;
  int blocks_ = 1;
};

void write_cluster_barrier(Emission& emission) {
  emission.use("cluster_barrier");
  emission.out.line("ridge::cluster_arrive();");
  emission.out.line("ridge::cluster_wait();");
}

// A block may only store into the shared memory of a block that has started. All blocks arrive at the cluster
// barrier when the kernel starts, and wait in front of the first such store, or at once if it is conditional.
void write_cluster_reduction(Emission& emission, std::vector<ReductionWriter>& writers) {
  const bool comes_once = emission.loop_depth == 0 && emission.branch_depth == 0;
  if (!std::exchange(emission.has_cluster_reduction, true) && comes_once) {
    emission.out.line("ridge::cluster_wait();  // for the other blocks to start");
    emission.arrives_at_start = true;
  }
  for (ReductionWriter& writer : writers) {
    if (writer.is_of_cluster()) writer.store_partial_in_cluster();
  }
  write_cluster_barrier(emission);
  for (ReductionWriter& writer : writers) {
    if (writer.is_of_cluster()) writer.reduce_cluster_partials();
  }
}

// Only the first warp reduces the partial results of the block and sends. A thread that has received the result may
// store a partial result again.
void write_cluster_exchange(Emission& emission, std::vector<ReductionWriter>& writers) {
  emission.has_cluster_reduction = true;
  emission.use("cluster_barrier");
  for (ReductionWriter& writer : writers) {
    if (!writer.is_of_warp()) writer.reduce_partials("if (threadIdx.x < 32) ");
  }
  for (ReductionWriter& writer : writers) writer.send_to_cluster();
  for (ReductionWriter& writer : writers) writer.reduce_in_cluster();
}

}  // namespace

void write_reductions(Emission& emission, const std::vector<loop::CollectiveReduce>& statements) {
  std::vector<ReductionWriter> writers;
  bool is_of_block = false, is_of_cluster = false;
  for (const loop::CollectiveReduce& collective : statements) {
    writers.emplace_back(emission, collective);
    is_of_block |= !writers.back().is_of_warp();
    is_of_cluster |= writers.back().is_of_cluster();
  }
  for (ReductionWriter& writer : writers) {
    writer.reduce_warp();
    if (!writer.is_of_warp()) writer.store_partial();
  }
  if (is_of_block) emission.out.line("__syncthreads();");
  const bool is_repeated = emission.loop_depth > 0;
  if (is_repeated && std::ranges::all_of(writers, &ReductionWriter::can_send)) {
    return write_cluster_exchange(emission, writers);
  }
  for (ReductionWriter& writer : writers) {
    if (!writer.is_of_warp()) writer.reduce_partials();
  }
  if (is_of_cluster) write_cluster_reduction(emission, writers);
  // In a loop, no thread may overwrite partial results that others have yet to read. Another barrier in the loop
  // serves as well.
  if (!is_repeated) return;
  if (is_of_cluster) {
    if (emission.barriers.of_cluster < 2) write_cluster_barrier(emission);
  } else if (is_of_block && emission.barriers.of_block < 2) {
    emission.out.line("__syncthreads();");
  }
}

std::string combine_text(Emission& emission, Combine combine, const std::string& into,
                         const std::string& operand, CppType type) {
  const bool wraps = type == CppType::int64;
  switch (combine) {
    case Combine::sum:
      if (!wraps) return concat(into, " += ", operand, ";");
      emission.use("wrap_add");
      return concat(into, " = ridge::wrap_add(", into, ", ", operand, ");");
    case Combine::prod:
      if (!wraps) return concat(into, " *= ", operand, ";");
      emission.use("wrap_mul");
      return concat(into, " = ridge::wrap_mul(", into, ", ", operand, ");");
    case Combine::max:
    case Combine::min:
      use_extremum(emission, combine, type);
      return concat(into, " = ridge::", loop::name(combine), "(", into, ", ", operand, ");");
    case Combine::any: return concat(into, " |= ", operand, ";");
    case Combine::all: return concat(into, " &= ", operand, ";");
  }
  return "";
}

std::string combiner(Emission& emission, Combine combine, CppType type) {
  std::string function(loop::name(combine));
  function[0] = static_cast<char>(function[0] - 'a' + 'A');
  const bool is_extremum = combine == Combine::max || combine == Combine::min;
  if (is_extremum) use_extremum(emission, combine, type);
  if (!is_extremum && type == CppType::int64) function.insert(0, "Wrap");
  emission.use(function);
  return concat("ridge::", function, "()");
}

std::string identity_text(Emission& emission, Combine combine, CppType type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool real = is_real(type);
  switch (combine) {
    case Combine::sum: return real ? literal(emission, 0, type) : "0";
    case Combine::prod: return real ? literal(emission, 1, type) : "1";
    case Combine::max:
      return real ? literal(emission, -kInfinity, type) : "-0x7fffffffffffffffLL - 1";
    case Combine::min: return real ? literal(emission, kInfinity, type) : "0x7fffffffffffffffLL";
    case Combine::any: return "false";
    case Combine::all: return "true";
  }
  return "";
}

}  // namespace ridge::codegen::cuda
