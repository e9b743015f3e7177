#include "ridge/cost/library_product.h"

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/cost/gpu_memory.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {
namespace {

class LibraryPricing {
 public:
  LibraryPricing(const LibraryProduct& product, const Sheet& sheet, const Context& context,
                 Rate rate)
      : product_(product), figures_(sheet), context_(context), rate_(std::move(rate)) {
    const auto type = [](DType dtype) {
      return ElementType{.name = name(dtype), .bytes = dtype.bits / 8.0};
    };
    problem_ = {.batch = product.batch,
                .m = product.m,
                .n = product.n,
                .k = product.k,
                .x = type(product.operand),
                .w = type(product.operand),
                .output = type(product.result)};
  }

  Price run() {
    Price result;
    const double read = problem_.batch * (problem_.m + problem_.n) * problem_.k * problem_.x.bytes;
    const double written = problem_.batch * problem_.m * problem_.n * problem_.output.bytes;
    const GpuMemorySeconds memory = gpu_memory_seconds(read, written, figures_, context_);
    const double matrix = tiled_seconds();
    static constexpr Resource kDram[] = {Resource::dram_read, Resource::dram_write};
    static constexpr Resource kMatrix[] = {Resource::matrix};
    Bill bill;
    bill[Resource::dram_read] = memory.read;
    bill[Resource::dram_write] = memory.written;
    bill[Resource::matrix] = matrix;
    bill.end_phase({{kDram, memory.read + memory.written}, {kMatrix, matrix}}, 1,
                   tuning::kSideNorm);
    result.overhead = gpu_fixed_seconds(true, figures_, context_);
    result.flops = 2 * problem_.batch * problem_.m * problem_.n * problem_.k;
    result.compulsory_bytes = result.issued_bytes = result.moved_bytes = read + written;
    result.transaction_bytes = result.moved_bytes;
    result.floor = floor(result);
    result.predicted = std::max(bill.time() + result.overhead, result.floor);
    result.bound = 2 * result.overhead > result.predicted ? Resource::overhead : bill.bound();
    result.seconds = bill.totals();
    result.seconds[static_cast<size_t>(Resource::overhead)] = result.overhead;
    const bool is_matrix = result.bound == Resource::matrix;
    result.ceiling = is_matrix ? result.flops / rate_.per_second : result.floor;
    result.workers = figures_.need("units");
    result.absent = figures_.absent();
    return result;
  }

 private:
  // Whole tiles in whole waves. The rate is the library's own, whatever the rows are.
  double tiled_seconds() const {
    const Sheet& sheet = figures_.sheet();
    const MatmulMachine machine{.math = rate_,
                                .memory = {std::numeric_limits<double>::infinity(), "dram.peak"},
                                .units = sheet.value("units"),
                                .l2_rate = sheet.value("l2.read"),
                                .has_clusters = sheet.value("cluster").value_or(1) > 1,
                                .line = sheet.value("line").value_or(tuning::kUsualLine),
                                .held_alignment_share = 1};
    return tile_matmul(problem_, machine, std::nullopt)->predicted_s;
  }

  double floor(const Price& price) {
    const Sheet& sheet = figures_.sheet();
    const double peak =
        figures_.need_first({concat("matrix.", problem_.x.name),
                             concat("vector.", problem_.x.name, ".fma"), "vector.f32.fma"});
    return std::max({gpu_launch_seconds(figures_, context_), price.flops / peak,
                     price.compulsory_bytes / sheet.need("dram.peak", "a floor")});
  }

  LibraryProduct product_;
  Figures figures_;
  Context context_;
  Rate rate_;
  MatmulProblem problem_;
};

}  // namespace

std::optional<Price> price_library_product(const LibraryProduct& product, const Sheet& sheet,
                                           const Context& context) {
  const std::string aligned = concat("library.", name(product.operand));
  const std::string key = product.is_aligned ? aligned : aligned + ".ragged";
  const auto rate = sheet.value(key);
  if (!rate) return std::nullopt;
  return LibraryPricing(product, sheet, context, {*rate, key}).run();
}

}  // namespace ridge::cost
