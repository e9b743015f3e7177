#include "ridge/mapping/demand.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/cost/gpu_memory.h"
#include "ridge/mapping/legal.h"
#include "ridge/mapping/product_shape.h"
#include "ridge/mapping/tuning.h"

namespace ridge::mapping {
namespace {

using cost::Term;

// Whole numbers as such: prices of large products would read 1e+06.
std::string count(double value) {
  return integer_to_text(static_cast<int64_t>(std::llround(value)));
}

class ProductDemand {
 public:
  ProductDemand(const Mapping& mapping, const ProductWork& work, const cost::Sheet& sheet)
      : mapping_(mapping),
        work_(work),
        sheet_(sheet),
        shape_(shape_of(mapping, work, cost::device_limits(&sheet))),
        sms_(sheet.need("units", "the price of a mapping") * mapping.launch.min_blocks_per_sm),
        row_tiles_(std::ceil(work.m / p_.rows)),
        column_tiles_(std::ceil(work.n / p_.columns)),
        tiles_(row_tiles_ * column_tiles_ * work.batch * p_.split),
        steps_(std::ceil(std::ceil(work.k / p_.depth) / p_.split)) {}

  cost::Demand run() {
    demand_.dtype = std::string(ridge::name(work_.lhs.dtype));
    demand_.matrix_share = matrix_share();
    demand_.hides_epilogue = p_.consumers == Consumers::ping_pong;
    demand_.compulsory_flops = 2 * work_.batch * work_.m * work_.n * work_.k;
    demand_.compulsory_bytes = operand_bytes(work_) + result_bytes(work_) +
                               work_.epilogue.tile_load_bytes * work_.batch * work_.m * work_.n;
    set_tile();
    set_epilogue();
    set_kernel();
    set_extra();
    return std::move(demand_);
  }

 private:
  // What instructions and the pitches of operands leave of the rate of the matrix unit.
  double matrix_share() const {
    double share = 1;
    if (p_.unit == MatrixUnit::mma) {
      share = tuning::kPortableShare;
      if (sheet_.value("arch").value_or(0) >= 90) share *= tuning::kPortableShareOfWarpgroup;
    }
    if (least_alignment() < kBulkAlignment) {
      const std::string library = "library." + demand_.dtype;
      const auto aligned = sheet_.value(library), ragged = sheet_.value(library + ".ragged");
      share *= aligned && ragged ? *ragged / *aligned : tuning::kMisalignedShare;
    }
    return share;
  }
  int64_t least_alignment() const {
    return std::min(alignment_of(work_.lhs, mapping_.alignment),
                    alignment_of(work_.rhs, mapping_.alignment));
  }

  // An instruction of 64 rows and N columns reads its 64 rows of the left operand and all N columns
  // of the right one, from shared memory, for each 16 of k.
  void set_tile() {
    const double k = steps_ * p_.depth;
    demand_.tile_flops = {2.0 * p_.rows * p_.columns * k,
                          concat("2 * ", p_.rows, " * ", p_.columns, " * ", count(k))};
    const int blocks = p_.rows / kWarpgroupRows;
    const int bytes = work_.lhs.dtype.bits / 8;
    demand_.tile_shared_bytes = {
        static_cast<double>(blocks * (kWarpgroupRows + p_.columns) * bytes) * k,
        concat(blocks, " * (", kWarpgroupRows, " + ", p_.columns, ") * ", bytes, " B * ",
               count(k))};
    const double slot = static_cast<double>(shape_.lhs.bytes) / mapping_.launch.cluster +
                        static_cast<double>(shape_.rhs.bytes);
    const double pitch = least_alignment() == kBulkAlignment ? tuning::kOddPitch : 1;
    demand_.tile_l2_bytes = {slot * steps_ * pitch,
                             concat(count(slot), " B * ", count(steps_), " steps",
                                    pitch > 1 ? concat(" * ", pitch, " for the pitch") : "")};
    demand_.fill_seconds = {fill_seconds(), "until the first bulk copy is there"};
  }
  double fill_seconds() const {
    const auto bulk = sheet_.value("bulk.latency");
    return bulk ? *bulk : sheet_.value("dram.latency").value_or(0);
  }

  // Elements of one thread, each packed and stored, and what the body computes of it.
  void set_epilogue() {
    const double elements = accumulators(p_);
    const bool is_tile = p_.store == StoreWay::tile;
    double each = tuning::kEpilogueSeconds * (is_tile ? 1 : tuning::kElementStores);
    std::string text = concat(count(elements), " elements of a thread * (",
                              to_text(Microseconds(each * 1e6)), " to store");
    const double body = p_.split > 1 ? 0 : body_seconds();
    if (body > 0) text += concat(" + ", to_text(Microseconds(body * 1e6)), " of body");
    demand_.epilogue_seconds = {elements * (each + body), text + ")"};
  }
  // All threads that run an epilogue at a time share the units of their SM.
  double body_seconds() const {
    const double at_a_time = demand_.hides_epilogue ? 1 : p_.warpgroups;
    const double threads = at_a_time * 4 * loop::kWarpSize;
    const double units = sheet_.need("units", "the price of a mapping");
    const auto time = [&](double amount, std::string_view key) {
      const auto rate = sheet_.value(key);
      return rate ? amount * threads * units / *rate : 0;
    };
    return time(work_.epilogue.flops, "vector.f32") +
           time(work_.epilogue.special_functions, "special.f32") +
           time(work_.epilogue.tile_load_bytes + 4.0 * work_.epilogue.column_loads, "l2.read");
  }

  void set_kernel() {
    const double waves = std::ceil(tiles_ / sms_);
    demand_.waves = {waves, concat("ceil(", count(tiles_), " tiles / ", count(sms_),
                                   mapping_.launch.min_blocks_per_sm > 1 ? " blocks)" : " SMs)")};
    demand_.flops = {demand_.tile_flops.value * tiles_,
                     concat(demand_.tile_flops.arithmetic, " * ", count(tiles_))};
    set_reads(waves);
    if (p_.split > 1) {
      demand_.dram_written = {partial_bytes(), concat(p_.split, " sums in f32")};
      return;
    }
    const double loads = epilogue_bytes();
    demand_.dram_read.value += loads;
    if (loads > 0) demand_.dram_read.arithmetic += concat(" + ", count(loads));
    demand_.dram_written = {result_bytes(work_), "each result once"};
  }
  double epilogue_bytes() const {
    return work_.epilogue.tile_load_bytes * work_.batch * work_.m * work_.n;
  }
  double partial_bytes() const {
    return p_.split * work_.batch * work_.m * work_.n * work_.accumulator.bits / 8;
  }
  // Each operand once where the second-level cache keeps them; else what tiles that run at a time read, in
  // each wave, where that is more.
  void set_reads(double waves) {
    const double once = operand_bytes(work_);
    const double rows = std::min<double>(p_.group, row_tiles_);
    const double footprint =
        (rows * p_.rows + std::ceil(std::min(sms_, tiles_) / rows) * p_.columns) *
        (steps_ * p_.depth) * work_.lhs.dtype.bits / 8;
    const double again = waves * footprint;
    const bool fits = once <= sheet_.value("l2.bytes").value_or(0);
    demand_.dram_read =
        fits || again <= once
            ? Term{once, "each operand once"}
            : Term{again, concat(count(waves), " waves * ", count(footprint), " B")};
  }

  // Sums of parts are added by a kernel of their own, which runs the epilogue; the second-level cache may still
  // have them. Realigned operands are copied by a launch of their own first.
  void set_extra() {
    const double rate = cost::reached_bandwidth(sheet_);
    double seconds = 0;
    std::string text;
    double launches = 0;
    if (p_.split > 1) {
      const double sums = partial_bytes();
      const auto cache = sheet_.value("l2.read");
      const bool is_cached = cache && sums <= sheet_.value("l2.bytes").value_or(0);
      seconds +=
          sums / (is_cached ? *cache : rate) + (result_bytes(work_) + epilogue_bytes()) / rate;
      launches += 1;
      text = concat(p_.split, " sums added by another kernel");
    }
    if (mapping_.alignment == Alignment::realigned) {
      const double copied =
          realigned_bytes(work_.lhs, work_.m) + realigned_bytes(work_.rhs, work_.n);
      seconds += 2 * copied / rate;
      launches += copied > 0 ? 1 : 0;
      if (copied > 0) text += concat(text.empty() ? "" : ", ", "operands copied");
    }
    const double gap = sheet_.value("launch.gap").value_or(sheet_.value("launch").value_or(0));
    demand_.extra_seconds = {seconds + launches * gap, text};
  }
  double realigned_bytes(const Operand& operand, double rows) const {
    const bool is_copied =
        alignment_of(operand, Alignment::realigned) > alignment_of(operand, Alignment::padded) &&
        operand.owner == PitchOwner::user;
    return is_copied ? work_.batch * work_.k * rows * operand.dtype.bits / 8 : 0;
  }

  const Mapping& mapping_;
  const ProductWork& work_;
  const cost::Sheet& sheet_;
  const Product& p_ = std::get<Product>(mapping_.family);
  ProductShape shape_;
  double sms_, row_tiles_, column_tiles_, tiles_, steps_;
  cost::Demand demand_;
};

}  // namespace

cost::Demand demand_of(const Mapping& mapping, const Work& work, const cost::Sheet& sheet) {
  return ProductDemand(mapping, work, sheet).run();
}

}  // namespace ridge::mapping
