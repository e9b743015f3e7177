// Threads with vector units, and three caches of which the last is shared.
#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/cost/function_cost.h"
#include "ridge/cost/price_parts.h"

namespace ridge::cost {
namespace {

// Of a cache, what a kernel may count on: the rest is the stack's, the other buffers' and the
// prefetcher's.
constexpr double kUsableCache = 0.9;
// Sets of the first-level cache repeat each page, of the second-level one each 64 KiB, on the x86
// server cores of the last years; third-level caches hash addresses.
constexpr double kL1Way = 4096;
constexpr double kL2Way = 65536;
constexpr double kPage = 4096;
// Registers that a sum along a row goes into in turn, by the operations of the loop; as the code
// generator does it.
constexpr double kShortBody = 12, kMiddlingBody = 20;
// Streams at which memory is at its best; one alone has `dram.stream`.
constexpr double kManyStreams = 4;
// Of the second of a sine and a cosine of one argument, what the first has done: the reduction of the
// argument and both polynomials.
constexpr double kTwinSaves = 0.6;
// Instructions to widen or round a 16-bit element.
constexpr double kConversionInstructions = 2;
// Rows that the kernel of products rounds up to; columns go to whole vectors.
constexpr double kProductRows = 8;
// Divisions of 64-bit integers, of which the vector unit has none.
constexpr double kIndexDivisionInstructions = 40;

class CpuPricing {
 public:
  CpuPricing(const KernelNest& nest, const Sheet& sheet, const Context& context)
      : nest_(nest), sheet_(sheet) {
    const double units = sheet.value("units.usable").value_or(sheet.need("units", "a price"));
    const double ranges = std::max(1.0, std::floor(nest.tasks / std::max(1.0, nest.grain)));
    threads_ = std::min(units, ranges);
    // The last round of tasks may leave threads idle.
    const double tasks = std::max(1.0, std::ceil(nest.tasks));
    workers_ = threads_ > 1 ? tasks / std::ceil(tasks / threads_) : 1;
    lanes_ = sheet.need("lanes", "a price");
    line_ = sheet.need("line", "a price");
    compulsory_ = compulsory_bytes(nest);
    const double resident = std::max(context.resident, compulsory_.footprint);
    past_l1_ = past(bytes_of("l1.bytes"), resident / threads_, kL1Way);
    past_l2_ = past(bytes_of("l2.bytes"), resident / threads_, kL2Way);
    past_l3_ = past(sheet.value("l3.usable").value_or(bytes_of("l3.bytes")), resident, 0);
    past_tlb_ = bytes_past(nest, {.capacity = sheet.need("tlb.bytes", "a price"),
                                  .line = kPage,
                                  .resident = resident / threads_});
  }

  Price run() {
    for (const Item& item : nest_.root.items) walk(item, 1, nullptr);
    Price result;
    result.overhead = sheet_.need("launch", "a price") + entering_ / workers_;
    if (threads_ > 1) result.overhead += sheet_.need("task", "a price");
    result.predicted = bill_.time() / workers_ + result.overhead;
    result.bound = 2 * result.overhead > result.predicted ? Resource::overhead : bill_.bound();
    result.seconds = bill_.totals();
    for (double& seconds : result.seconds) seconds /= workers_;
    result.seconds[static_cast<size_t>(Resource::overhead)] = result.overhead;
    result.ceiling = ceiling(result);
    result.flops = flops_;
    result.compulsory_bytes = compulsory_.read + compulsory_.written;
    for (const PlacedAccess& placed : accesses_of(nest_)) {
      result.issued_bytes += placed.executions * placed.access->element_bytes;
    }
    for (const double bytes : past_l1_) result.transaction_bytes += bytes;
    for (const double bytes : past_l3_) result.moved_bytes += bytes;
    result.workers = workers_;
    result.floor = floor();
    return result;
  }

 private:
  double bytes_of(std::string_view cache) const {
    return kUsableCache * sheet_.need(cache, "a price");
  }
  std::vector<double> past(double capacity, double resident, double way) const {
    return bytes_past(nest_,
                      {.capacity = capacity, .line = line_, .way = way, .resident = resident});
  }

  // Of one thread, while `threads_` of them share the machine.
  double rate(const std::string& key) const {
    const double all = sheet_.need(key, "a price");
    const double one = sheet_.value(key + ".one").value_or(all);
    return std::min(one, all / threads_);
  }

  double function_seconds(expr::Function function) const {
    const std::string key = concat("function.", expr::info(function).name);
    if (sheet_.find(key) != nullptr) return 1 / rate(key);
    return instructions_of(function) / rate("vector.f32");
  }
  double least_function_seconds(expr::Function function) const {
    const std::string key = concat("function.", expr::info(function).name, ".peak");
    return sheet_.find(key) != nullptr ? 1 / rate(key) : function_seconds(function);
  }

  // `lanes` is the vector loop around, if there is one.
  void walk(const Item& item, double executions, const Nest* lanes) {
    if (const auto* nest = std::get_if<Nest>(&item)) {
      const bool is_vector = nest->place == loop::Place::vector;
      if (is_vector) entering_ += executions * sheet_.need("loop", "a price");
      if (is_vector) entering_ += executions * combines(*nest) * sheet_.need("combine", "a price");
      for (const Item& inner : nest->items) {
        walk(inner, executions * nest->trips, is_vector ? nest : lanes);
      }
    } else if (const auto* block = std::get_if<Block>(&item)) {
      add_block(*block, executions, lanes);
    } else {
      add_product(std::get<Product>(item), executions);
    }
  }

  // Reductions whose lanes are added up when a vector loop ends: those right inside it.
  static double combines(const Nest& nest) {
    double count = 0;
    for (const Item& item : nest.items) {
      if (const auto* block = std::get_if<Block>(&item)) count += block->operations.reductions;
    }
    return count;
  }

  // Lanes that are computed where `executions` of them are wanted.
  double padded(double executions, const Nest* lanes) const {
    if (lanes == nullptr) return executions * lanes_;
    return executions * std::ceil(lanes->trips / lanes_) * lanes_ / std::max(lanes->trips, 1e-9);
  }

  double arithmetic(const Operations& operations, double points) {
    const double width = operations.is_wide ? 2 : 1;
    double fma = operations.fused, plain = operations.reduction_instructions, special = 0;
    for (size_t i = 0; i < operations.calls.size(); ++i) {
      const auto function = static_cast<expr::Function>(i);
      const int calls = operations.calls[i];
      if (calls == 0) continue;
      if (is_special(function)) {
        special += calls * function_seconds(function);
        special_at_best_ += points * width * calls * least_function_seconds(function);
      } else {
        plain += calls * instructions_of(function);
      }
    }
    const double shared = operations.twins * function_seconds(expr::Function::sin);
    special -= kTwinSaves * shared;
    special_at_best_ -= points * width * shared;
    plain -= 2 * operations.fused;  // counted as one instruction, above
    plain += operations.conversions * kConversionInstructions;
    plain += operations.index_divisions * kIndexDivisionInstructions;
    bill_[Resource::fma] += points * width * fma / (rate("vector.f32.fma") / 2);
    bill_[Resource::plain] += points * width * plain / rate("vector.f32");
    bill_[Resource::special] += points * width * special;
    return bill_[Resource::fma] + bill_[Resource::plain] + bill_[Resource::special];
  }

  // A reduction waits for its own last step: along a row in several registers in turn, across rows in
  // as many as the lanes fill.
  double waiting(const Block& block, double executions, const Nest* lanes) const {
    const Operations& operations = block.operations;
    if (operations.reductions == 0 || lanes == nullptr) return 0;
    const double weight = flops_of(operations) + static_cast<double>(block.accesses.size());
    const double registers = weight <= kShortBody ? 4 : weight <= kMiddlingBody ? 2 : 1;
    const bool is_along = combines(*lanes) > 0;
    const double steps = executions / (is_along ? registers * lanes_ : lanes->trips);
    return steps * sheet_.need("vector.latency", "a price") * operations.reduction_steps;
  }

  // What a phase reads and writes at each level, and how many arrays it goes through.
  struct Flow {
    double read[4] = {}, written[4] = {};
    double streams = 0;
    double lookups = 0, translation = 0;  // seconds
  };

  void add_access(Flow& flow, const MemoryAccess& access, double executions, int vector_axis) {
    const double l1 = past_l1_[next_], l2 = past_l2_[next_], l3 = past_l3_[next_];
    const double in_pages = past_tlb_[next_] - executions * access.element_bytes;
    ++next_;
    int64_t stride = 0;
    bool is_random = false;
    for (const AxisStep& step : access.steps) {
      if (step.axis != vector_axis) continue;
      stride = step.stride;
      is_random = step.is_random;
    }
    const bool is_lookup = stride > 1 || is_random;
    // Going through whole pages in order hides this, and lookups in memory have paid for theirs.
    const double pages = in_pages / kPage - (is_lookup ? l3 / line_ : 0);
    flow.translation += std::max(0.0, pages) * sheet_.need("tlb", "a price");
    if (is_lookup) {
      flow.lookups += lookups(executions, l1, l2, l3);
      return;
    }
    const bool is_kept = stride == 0 && vector_axis >= 0;  // in a register, along the lanes
    const double issued = is_kept ? 0 : std::max(0.0, executions * access.element_bytes - l1);
    double* bytes = access.is_store ? flow.written : flow.read;
    bytes[0] += issued;
    bytes[1] += l1 - l2;
    bytes[2] += l2 - l3;
    bytes[3] += l3;
    flow.streams += l3 > 0 ? 1 : 0;
  }

  // Reading and writing side by side is quicker than one after the other.
  double level_seconds(std::string_view level, double read, double written) const {
    if (read + written <= 0) return 0;
    const double both = std::min(read, written);
    double seconds = 0;
    if (both > 0) seconds += 2 * both / rate(concat(level, ".copy"));
    if (read > both) seconds += (read - both) / rate(concat(level, ".read"));
    if (written > both) seconds += (written - both) / rate(concat(level, ".write"));
    return seconds;
  }

  double dram_seconds(const Flow& flow) {
    const double read = flow.read[3], written = flow.written[3];
    if (read + written <= 0) return 0;
    const double best = rate("dram.read");
    bill_[Resource::dram_read] += read / best;
    bill_[Resource::dram_write] += written / best;
    const double alone = sheet_.find("dram.stream") != nullptr ? rate("dram.stream") : best;
    const double share = std::clamp(std::log2(flow.streams) / std::log2(kManyStreams), 0.0, 1.0);
    const double reached = alone + (best - alone) * share;
    return std::max((read + written) / reached, written / rate("dram.write"));
  }

  double memory_seconds(const Flow& flow) {
    constexpr std::string_view kLevels[] = {"l1", "l2", "l3"};
    constexpr Resource kResources[] = {Resource::l1, Resource::l2, Resource::l3};
    bill_[Resource::translation] += flow.translation;
    double sum = flow.lookups + flow.translation + dram_seconds(flow);
    for (size_t i = 0; i < 3; ++i) {
      const double seconds = level_seconds(kLevels[i], flow.read[i], flow.written[i]);
      bill_[kResources[i]] += seconds;
      sum += seconds;
    }
    return sum;
  }

  // Elements one by one, each from the level where its line is.
  double lookups(double elements, double l1, double l2, double l3) {
    const double by_l1 = 1 / rate("gather.l1"), by_l2 = 1 / rate("gather.l2");
    const double by_l3 = 1 / rate("gather.l3"), by_dram = 1 / rate("gather.dram");
    const double seconds = elements * by_l1 + l1 / line_ * std::max(0.0, by_l2 - by_l1) +
                           l2 / line_ * std::max(0.0, by_l3 - by_l2) +
                           l3 / line_ * std::max(0.0, by_dram - by_l3);
    bill_[Resource::lookup] += seconds;
    return seconds;
  }

  void add_block(const Block& block, double executions, const Nest* lanes) {
    Flow flow;
    for (const MemoryAccess& access : block.accesses) {
      add_access(flow, access, executions, lanes == nullptr ? -1 : lanes->axis);
    }
    const double waits = memory_seconds(flow);
    const double computes = std::max(arithmetic(block.operations, padded(executions, lanes)),
                                     waiting(block, executions, lanes));
    flops_ += executions * flops_of(block.operations);
    bill_.end_phase(std::max(waits, computes));
  }

  void add_product(const Product& product, double executions) {
    Flow flow;
    const auto read = [&](const Block& block, double times, int axis) {
      for (const MemoryAccess& access : block.accesses) add_access(flow, access, times, axis);
    };
    read(product.lhs, executions * product.m * product.k,
         product.is_lhs_along_k ? product.k_axis : product.m_axis);
    read(product.rhs, executions * product.k * product.n,
         product.is_rhs_along_n ? product.n_axis : product.k_axis);
    const double waits = memory_seconds(flow);
    const double rows = std::ceil(product.m / kProductRows) * kProductRows;
    const double columns = std::ceil(product.n / lanes_) * lanes_;
    const double width = product.is_wide ? 2 : 1;
    bill_[Resource::matrix] +=
        2 * executions * rows * columns * product.k * width / rate("matrix.f32");
    flops_ += 2 * executions * product.m * product.n * product.k;
    product_flops_ += 2 * executions * product.m * product.n * product.k * width;
    bill_.end_phase(bill_[Resource::matrix] + waits);
    const Nest columns_nest{loop::Place::vector, product.n_axis, product.n, {}};
    add_block(product.epilogue, executions * product.m * product.n, &columns_nest);
  }

  // Products run on the FMA units and may reach their rate; functions may overlap.
  double ceiling(const Price& price) const {
    if (price.bound == Resource::matrix) return product_flops_ / workers_ / rate("vector.f32.fma");
    if (price.bound == Resource::special) return special_at_best_ / workers_;
    return price.seconds[static_cast<size_t>(price.bound)];
  }

  // All units at full speed, each distinct byte once, from the nearest level that holds them.
  double floor() const {
    const double footprint = compulsory_.footprint;
    const std::string level =
        footprint <= kUsableCache * sheet_.need("l1.bytes", "a floor") ? "l1"
        : footprint <= sheet_.need("l2.bytes", "a floor") * units()    ? "l2"
        : footprint <= sheet_.value("l3.usable").value_or(sheet_.need("l3.bytes", "a floor"))
            ? "l3"
            : "dram";
    const double bytes = level == "dram" ? (compulsory_.read + compulsory_.written) /
                                               sheet_.need("dram.read", "a floor")
                                         : floor_of(level);
    const double peak = sheet_.need("vector.f32.fma", "a floor");
    return std::max({sheet_.need("launch", "a floor"), bytes, flops_ / peak});
  }
  // All units together.
  double floor_of(const std::string& level) const {
    const double both = std::min(compulsory_.read, compulsory_.written);
    return 2 * both / sheet_.need(level + ".copy", "a floor") +
           (compulsory_.read - both) / sheet_.need(level + ".read", "a floor") +
           (compulsory_.written - both) / sheet_.need(level + ".write", "a floor");
  }
  double units() const { return sheet_.value("units.usable").value_or(sheet_.need("units", "")); }

  const KernelNest& nest_;
  const Sheet& sheet_;
  Compulsory compulsory_;
  double threads_ = 1, workers_ = 1, lanes_ = 16, line_ = 64;
  std::vector<double> past_l1_, past_l2_, past_l3_, past_tlb_;
  size_t next_ = 0;
  double entering_ = 0, flops_ = 0, product_flops_ = 0, special_at_best_ = 0;
  Bill bill_;
};

}  // namespace

Price price_on_cpu(const KernelNest& nest, const Sheet& sheet, const Context& context) {
  return CpuPricing(nest, sheet, context).run();
}

}  // namespace ridge::cost
