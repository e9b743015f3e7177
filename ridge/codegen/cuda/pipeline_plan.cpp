// Which loops can be pipelines, and how many stages they get.
#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/row_pipeline.h"
#include "ridge/loop/mapping_rules.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::codegen::cuda {
namespace {

// Stages: three rows are computed, the others are in flight. A number that is no power of two costs a division for each
// row: gradients of RMS norms of 8192 x 10001 took 137 us with 4 stages on an H200 and 141 with 5. Short rows need more
// stages to have enough bytes in flight: 9973 x 4097 took 100 us with 4, 91 with 8, one block on each SM; 32768 x 2049
// took 164 with 4, 160 with 8, two blocks on each SM.
constexpr int64_t kMostStages = 8, kUsualStages = 4;
// With more skew, blocks wait less often for the slowest block of the cluster: gradients of norms of 50257 took 331 us
// with 1 on an H200, 323 and 327 with 2.
constexpr int64_t kMaxSkew = 2;
constexpr int kPartialRows = 8;  // of partial sums, a power of two: at most six are in flight

constexpr int64_t kSystemBytes = loop::kCudaLimits.reserved_shared_bytes;

class PipelineFinder {
 public:
  PipelineFinder(const loop::Kernel& kernel, int64_t shared_bytes)
      : kernel_(kernel), shared_bytes_(shared_bytes) {
    for_each_statement(kernel.body, [&](const loop::Statement& statement) {
      count_ += as<loop::BulkCopy>(statement) != nullptr ? 1 : 0;
      reductions_ += as<loop::Barrier>(statement) != nullptr ||
                             as<loop::CollectiveReduce>(statement) != nullptr
                         ? 1
                         : 0;
      const auto* const loop = as<loop::Loop>(statement);
      const bool is_serial = loop != nullptr && loop->place == loop::Place::serial;
      if (is_serial && !loop->body.empty() && as<loop::BulkCopy>(loop->body.front())) {
        plan_.loop = loop;
      }
    });
  }

  std::optional<PipelinePlan> run() {
    if (plan_.loop == nullptr) return std::nullopt;
    const int64_t threads = loop::block_threads(kernel_).value_or(0);
    plan_.warps = static_cast<int>(threads / kWarp);
    plan_.blocks = static_cast<int>(loop::cluster_blocks(kernel_));
    if (threads % kWarp != 0 || threads == 0 ||
        threads + kWarp > loop::kCudaLimits.max_threads_per_block)
      return std::nullopt;
    plan_.blocks_per_sm = static_cast<int>(std::max<int64_t>(1, kernel_.min_blocks_per_sm));
    if (!find_parts() || !is_known_to_producer() || !can_split(kernel_, plan_)) return std::nullopt;
    find_chunks(kernel_, plan_);
    if (!fits()) return std::nullopt;
    return std::move(plan_);
  }

 private:
  const loop::Body& body() const { return plan_.loop->body; }

  // Bulk copies, a reduce phase, sums over all threads, an apply phase.
  bool find_parts() {
    size_t i = 0;
    for (; i < body().size() && as<loop::BulkCopy>(body()[i]) != nullptr; ++i) {
      plan_.copies.push_back(*as<loop::BulkCopy>(body()[i]));
    }
    while (i < body().size() && as<loop::CollectiveReduce>(body()[i]) == nullptr) ++i;
    plan_.first_reduction = i;
    for (; i < body().size() && as<loop::CollectiveReduce>(body()[i]) != nullptr; ++i) {
      const loop::CollectiveReduce& collective = *as<loop::CollectiveReduce>(body()[i]);
      const loop::Scope all = plan_.blocks > 1 ? loop::Scope::cluster : loop::Scope::block;
      const bool is_sum = collective.combine == loop::Combine::sum && collective.scope == all &&
                          collective.threads == 0 &&
                          kernel_.values[static_cast<size_t>(collective.value)].dtype == f32;
      if (!is_sum) return false;
      plan_.sums.push_back(collective.value);
    }
    plan_.after_reductions = i;
    const size_t sums = plan_.sums.size();
    return count_ == static_cast<int>(plan_.copies.size()) &&
           reductions_ == static_cast<int>(sums) &&
           loop::can_exchange_sums(static_cast<int64_t>(sums), plan_.blocks);
  }

  // The producer computes no values: addresses and trip counts depend on axes alone.
  bool is_known_to_producer() const {
    bool is_known = true;
    const auto require_known = [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        is_known &= node->kind != expr::Kind::input && node->kind != expr::Kind::load;
      });
    };
    for (const loop::BulkCopy& copy : plan_.copies) {
      require_known(copy.first);
      require_known(copy.count);
    }
    for_each_statement(kernel_.body, [&](const loop::Statement& statement) {
      if (!plan_.is_inside(statement)) return;
      if (const auto* const loop = as<loop::Loop>(statement)) require_known(loop->extent);
      if (const auto* const branch = as<loop::If>(statement)) require_known(branch->condition);
    });
    return is_known;
  }

  // Source and destination of a copy have the same offset in a line.
  bool fits() {
    for (const loop::BulkCopy& copy : plan_.copies) {
      const loop::Buffer& buffer = kernel_.buffers[static_cast<size_t>(copy.buffer)];
      plan_.offsets.push_back(plan_.stage_bytes);
      const auto bytes = static_cast<int64_t>(bytes_for(buffer.dtype, buffer.elements->integer));
      plan_.stage_bytes += (bytes + kWideBytes + 2 * kLineBytes - 2) / kLineBytes * kLineBytes;
    }
    int64_t others = 0;
    for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
      const loop::Buffer& buffer = kernel_.buffers[i];
      if (buffer.space != loop::Space::shared || plan_.holds(static_cast<int>(i))) continue;
      others += static_cast<int64_t>(bytes_for(buffer.dtype, buffer.elements->integer)) + 16;
    }
    const int64_t available = (shared_bytes_ + kSystemBytes) / plan_.blocks_per_sm - kSystemBytes;
    for (plan_.stages = kMostStages; plan_.stages > 1; --plan_.stages) {
      const bool is_usual = plan_.stages == kMostStages || plan_.stages <= kUsualStages;
      const int64_t bytes = plan_.own_bytes() + others + plan_.stages * plan_.stage_bytes;
      if (is_usual && bytes <= available) break;
    }
    plan_.skew = std::clamp<int64_t>(plan_.stages - 2, 1, kMaxSkew);
    return plan_.stages >= 2;
  }

  const loop::Kernel& kernel_;
  int64_t shared_bytes_;
  int count_ = 0, reductions_ = 0;
  PipelinePlan plan_{};
};

}  // namespace

int64_t PipelinePlan::own_bytes() const {
  const auto partial_bytes = static_cast<int64_t>(4 * kPartialRows * sums.size()) * blocks * warps;
  return 8 * (2 * stages * static_cast<int64_t>(chunk_ends.size()) + kPartialRows) + partial_bytes;
}

bool PipelinePlan::is_inside(const loop::Statement& statement) const {
  bool found = false;
  for_each_statement(statement,
                     [&](const loop::Statement& inner) { found |= as<loop::Loop>(inner) == loop; });
  return found;
}

bool PipelinePlan::holds(int buffer) const {
  return std::ranges::find(copies, buffer, &loop::BulkCopy::buffer) != copies.end();
}

std::string PipelinePlan::shared_type() const {
  return concat("ridge::RowPipelineShared<", blocks, ", ", warps, ", ", sums.size(), ", ", stages,
                ", ", kPartialRows, ", ", chunk_ends.size(), ">");
}

std::string PipelinePlan::type() const {
  return concat("ridge::RowPipeline<", blocks, ", ", warps, ", ", sums.size(), ", ", stages, ", ",
                kPartialRows, ", ", stage_bytes, ", ", join(chunk_ends, ", "), ">");
}

std::optional<PipelinePlan> pipeline_plan(const loop::Kernel& kernel, const CudaTarget& target) {
  if (target.arch < 90) return std::nullopt;
  return PipelineFinder(kernel, target.limits.block_shared_bytes()).run();
}

}  // namespace ridge::codegen::cuda
