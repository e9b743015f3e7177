// Values combined with each other: by one thread, across the lanes of a warp, a block, a cluster.
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

class AcrossWriter {
 public:
  AcrossWriter(Emission& emission, const loop::CollectiveReduce& across)
      : emission_(emission),
        value_(emission.text_of(across.value)),
        type_(emission.value_types[static_cast<size_t>(across.value)]),
        combine_(across.combine),
        combiner_(combiner(emission, across.combine, type_)),
        block_(static_cast<int>(*loop::block_threads(emission.kernel))) {
    const int whole = across.scope == loop::Scope::warp ? kWarp : block_;
    threads_ = across.threads == 0 ? whole : across.threads;
    if (across.scope == loop::Scope::cluster) {
      blocks_ = static_cast<int>(loop::cluster_blocks(emission.kernel));
    }
  }

  bool is_of_cluster() const { return blocks_ > 1; }

  bool is_of_warp() const { return threads_ <= kWarp; }

  void combine_lanes() {
    const int lanes = is_of_warp() ? threads_ : kWarp;
    if (combine_ == Combine::any && type_ == CppType::boolean && lanes == kWarp) {
      return emission_.out.line(value_, " = __any_sync(0xffffffffu, ", value_, ");");
    }
    emission_.use("across_lanes");
    emission_.out.line(value_, " = ridge::across_lanes<", lanes, ">(", value_, ", ", combiner_,
                       ");");
  }
  void post() {
    emission_.use("exchange");
    declare_exchange(block_ / kWarp);
    emission_.out.line("ridge::post(", exchange_, ", ", value_, ");");
  }
  void collect(std::string_view condition = "") {
    const int warps = threads_ / kWarp;
    const std::string from = threads_ == block_
                                 ? exchange_
                                 : concat(exchange_, " + threadIdx.x / ", threads_, " * ", warps);
    emission_.out.line(condition, value_, " = ridge::collect<", warps, ">(", from, ", ", combiner_,
                       ");");
  }

  void post_in_cluster() {
    emission_.use("post_in_cluster");
    declare_exchange(blocks_);
    emission_.out.line("ridge::post_in_cluster<", blocks_, ">(", exchange_, ", ", value_, ");");
  }
  // In a loop, where what was stored in the round before may be on its way.
  bool can_tell() const { return is_of_cluster() && type_ == CppType::f32; }
  void tell() {
    emission_.use("meeting");
    if (emission_.meetings_name.empty()) emission_.meetings_name = emission_.names.add("meetings");
    meeting_ = concat(emission_.meetings_name, "[", emission_.meeting_count++, "]");
    round_ = emission_.names.add("round");
    emission_.exchanges.push_back(concat("unsigned ", round_, " = 0;"));
    emission_.out.line("ridge::tell(", meeting_, ", ", round_, ", ", value_, ");");
  }
  void hear() {
    emission_.out.line(value_, " = ridge::hear(", meeting_, ", ", round_, "++, ", combiner_, ");");
  }
  void collect_from_cluster() {
    emission_.use("exchange");
    emission_.out.line(value_, " = ridge::collect<", blocks_, ">(", exchange_, ", ", combiner_,
                       ");");
  }

 private:
  void declare_exchange(int count) {
    exchange_ = emission_.names.add("exchange");
    emission_.exchanges.push_back(
        concat("__shared__ __align__(16) ", name(type_), " ", exchange_, "[", count, "];"));
    const bool is_wide = type_ == CppType::f64 || type_ == CppType::int64;
    const int bytes = count * (is_wide ? 8 : type_ == CppType::boolean ? 1 : 4);
    emission_.exchange_bytes += (bytes + 15) / 16 * 16;
  }

  Emission& emission_;
  std::string value_;
  CppType type_;
  Combine combine_;
  std::string combiner_, exchange_, meeting_, round_;
  int block_;
  int threads_ = 0;
  int blocks_ = 1;
};

void write_cluster_barrier(Emission& emission) {
  emission.use("cluster_barrier");
  emission.out.line("ridge::cluster_arrive();");
  emission.out.line("ridge::cluster_wait();");
}

// A block may only store with another one that has started: all arrive at the start of the kernel,
// and wait for each other before the first one stores, or at once if that is not certain to come.
void write_across_cluster(Emission& emission, std::vector<AcrossWriter>& writers) {
  const bool comes_once = emission.loop_depth == 0 && emission.branch_depth == 0;
  if (!std::exchange(emission.has_met_cluster, true) && comes_once) {
    emission.out.line("ridge::cluster_wait();  // for the other blocks to start");
    emission.arrives_at_start = true;
  }
  for (AcrossWriter& writer : writers) {
    if (writer.is_of_cluster()) writer.post_in_cluster();
  }
  write_cluster_barrier(emission);
  for (AcrossWriter& writer : writers) {
    if (writer.is_of_cluster()) writer.collect_from_cluster();
  }
}

// The warp that tells the others collects. Whoever has heard it may post again.
void write_meeting(Emission& emission, std::vector<AcrossWriter>& writers) {
  emission.has_met_cluster = true;
  emission.use("cluster_barrier");
  for (AcrossWriter& writer : writers) {
    if (!writer.is_of_warp()) writer.collect("if (threadIdx.x < 32) ");
  }
  for (AcrossWriter& writer : writers) writer.tell();
  for (AcrossWriter& writer : writers) writer.hear();
}

}  // namespace

void write_across(Emission& emission, const std::vector<loop::CollectiveReduce>& statements) {
  std::vector<AcrossWriter> writers;
  bool is_of_block = false, is_of_cluster = false;
  for (const loop::CollectiveReduce& across : statements) {
    writers.emplace_back(emission, across);
    is_of_block |= !writers.back().is_of_warp();
    is_of_cluster |= writers.back().is_of_cluster();
  }
  for (AcrossWriter& writer : writers) {
    writer.combine_lanes();
    if (!writer.is_of_warp()) writer.post();
  }
  if (is_of_block) emission.out.line("__syncthreads();");
  const bool is_repeated = emission.loop_depth > 0;
  if (is_repeated && std::ranges::all_of(writers, &AcrossWriter::can_tell)) {
    return write_meeting(emission, writers);
  }
  for (AcrossWriter& writer : writers) {
    if (!writer.is_of_warp()) writer.collect();
  }
  if (is_of_cluster) write_across_cluster(emission, writers);
  // The next time around, nobody may overwrite what others have yet to collect: another barrier in
  // between does as well.
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
