#include "ridge/schedule/group_price.h"

#include <algorithm>
#include <limits>

#include "ridge/cost/price.h"
#include "ridge/ops/rank.h"
#include "ridge/schedule/cpu_loops.h"
#include "ridge/schedule/gpu_persistent_rows.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/mapped_product.h"
#include "ridge/schedule/plan.h"
#include "ridge/schedule/rank_keys.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

// Digits of a usual key, each of which is counted and moved. Only the order of magnitude matters: nothing joins a rank.
constexpr double kRankPasses = 8;

bool has_rank(const InlinedGraph& program, const Group& group) {
  return std::ranges::any_of(group.members,
                             [&](const Member& member) { return program.is_rank(member.node); });
}

// Scans and ranks as they are computed: at the points of their results, each of which reads its own element.
std::optional<Group> as_points(const InlinedGraph& program, const Group& group) {
  const auto has_own_way = [&](const Member& member) {
    return program.is_scan(member.node) || program.is_rank(member.node);
  };
  if (std::ranges::none_of(group.members, has_own_way)) return std::nullopt;
  Group result = group;
  result.kind = GroupKind::map;
  result.inner.clear();
  for (Member& member : result.members) {
    if (!has_own_way(member)) continue;
    const ops::Definition& d = program.node_definition(member.node).definition;
    const auto scan = scan_form(d);
    member.axes[d.output_rank] = member.axes[scan ? scan->along : ops::rank_form(d)->dim];
  }
  return result;
}

}  // namespace

GroupPricer::GroupPricer(const InlinedGraph& program, const cost::Sheet& sheet, double resident,
                         bool maps_products)
    : program_(program),
      sheet_(sheet),
      limits_(cost::device_limits(&sheet)),
      readers_(readers_of(program)),
      plain_(plain_locations(program.graph())),
      is_stored_(program.graph().values.size()),
      resident_(resident),
      maps_products_(maps_products),
      forms_(program) {}

// As they will be: what is not needed outside has no memory. Values of the group alone change for that, since
// lists of all values would be long.
template <class Query>
auto GroupPricer::as_lowered(const Group& group, const Query& query) const {
  const auto is_member = [&](int32_t node) {
    return std::ranges::find(group.members, node, &Member::node) != group.members.end();
  };
  const auto place = [&](const Member& member, bool is_stored, bool has_memory) {
    const auto at = static_cast<size_t>(program_.result(member.node).index);
    is_stored_[at] = is_stored;
    plain_[at].buffer = has_memory ? static_cast<int>(at) : -1;
  };
  for (const Member& member : group.members) {
    const ValueId result = program_.result(member.node);
    const auto& readers = readers_[static_cast<size_t>(result.index)];
    const bool is_stored = program_.is_live_out(result) || !std::ranges::all_of(readers, is_member);
    place(member, is_stored, is_stored);
  }
  auto answer = query(LoopInput{.program = program_,
                                .group = group,
                                .locations = plain_,
                                .is_stored = is_stored_,
                                .sheet = &sheet_,
                                .limits = limits_,
                                .resident = resident_});
  for (const Member& member : group.members) place(member, false, true);
  return answer;
}

RowWork GroupPricer::work_of(const Group& group) const {
  return as_lowered(group, [](const LoopInput& input) { return row_work(input); });
}
std::optional<PipelineShape> GroupPricer::pipelined_rows(const Group& group) const {
  return as_lowered(group, [](const LoopInput& input) { return pipeline_shape(input); });
}

Decision GroupPricer::can_be_persistent(const Group& group) {
  const auto [found, is_new] =
      can_be_persistent_.try_emplace(forms_.with_readers(group, readers_).words, false);
  if (is_new) {
    found->second =
        schedule::can_be_persistent(work_of(group)) || pipelined_rows(group).has_value();
  }
  if (found->second) return Decision::yes("rows and column sums fit in registers");
  return Decision::no("rows and column sums do not fit in registers");
}

static GroupKernels kernels_of_pipeline(const RowWork& work, const PipelineShape& shape) {
  const double partial_bytes = static_cast<double>(work.column_bytes * shape.partials) *
                               static_cast<double>(work.length.hint_or(1));
  return {.blocks = static_cast<double>(shape.clusters * shape.blocks),
          .count = 2,
          .threads = static_cast<double>(shape.threads),
          .partial_bytes = partial_bytes};
}

GroupKernels GroupPricer::kernels(const Group& group) const {
  if (!is_of_gpu() || as_points(program_, group)) return {};
  if (!group.has_columns()) {
    GroupKernels kernels = kernels_of(program_, group, plain_, sheet_);
    // One block holds shorter ones, however they are mapped.
    const bool is_long = numel(group.inner).hint_or(0) > kMinSplitRow;
    if (kernels.is_thread_per_column || (kernels.count == 1 && !is_long)) return kernels;
    const RowShape shape = row_shape(work_of(group));
    kernels.keeps_rows_on_chip = shape.is_in_shared;
    if (kernels.count == 1 || !shape.is_on_chip) return kernels;
    kernels.count = 1;
    kernels.blocks = static_cast<double>(*numel(group.outer).known() * shape.blocks);
    kernels.keeps_rows_on_chip = true;
    return kernels;
  }
  const RowWork work = work_of(group);
  if (const auto pipelined = pipelined_rows(group)) return kernels_of_pipeline(work, *pipelined);
  const RowShape shape = row_shape(work);
  const double partial_bytes = static_cast<double>(work.column_bytes * shape.persistent_blocks) *
                               static_cast<double>(work.length.hint_or(1));
  return {.blocks = static_cast<double>(shape.persistent_blocks),
          .count = 2,
          .threads = static_cast<double>(shape.threads * shape.rows),
          .row_threads = static_cast<double>(shape.threads),
          .partial_bytes = partial_bytes};
}

// Of the kernel itself.
cost::Price GroupPricer::price_of_chain(const Group& group) const {
  loop::Kernel kernel =
      as_lowered(group, [](const LoopInput& input) { return cpu_loops(input).kernels[0].kernel; });
  const auto sizes = expected_values(bind_symbols(kernel));
  if (!sizes) {
    // Of sizes that nobody expects: as kernels of their own.
    cost::Price price;
    price.predicted = std::numeric_limits<double>::infinity();
    return price;
  }
  return cost::price(cost::nest_of(kernel, *sizes), sheet_, {.resident = resident_});
}

cost::Price GroupPricer::price(const Group& group, const GroupKernels& kernels) const {
  if (group.kind == GroupKind::chain) return price_of_chain(group);
  const std::optional<Group> points = as_points(program_, group);
  const cost::KernelNest nest = group_nest(program_, points ? *points : group, readers_,
                                           is_of_gpu() ? Target::gpu : Target::cpu, kernels);
  return cost::price(nest, sheet_, {.resident = resident_});
}

cost::Price GroupPricer::price(const Group& group) const { return price(group, kernels(group)); }

double GroupPricer::seconds(const Group& group) {
  const auto [found, is_new] = seconds_.try_emplace(forms_.with_readers(group, readers_).words, 0);
  if (is_new) found->second = worked_out(group);
  return found->second;
}

double GroupPricer::worked_out(const Group& group) const {
  if (maps_products_ && group.kind == GroupKind::contraction) {
    const auto seconds =
        as_lowered(group, [](const LoopInput& input) { return mapped_seconds(input); });
    if (seconds) return *seconds;
  }
  const GroupKernels kernels = this->kernels(group);
  // Further kernels combine what the blocks of the first found: little work, but each is a launch.
  const double launches = (kernels.count - 1) * sheet_.value("launch").value_or(0);
  // Partial column sums of persistent blocks go there and back through the cache that all SMs share.
  const double rate = sheet_.value("l2.read").value_or(0);
  const double handed_on = rate > 0 ? 2 * kernels.partial_bytes / rate : 0;
  const double passes = has_rank(program_, group) ? kRankPasses : 1;
  return passes * price(group, kernels).predicted + launches + handed_on;
}

}  // namespace ridge::schedule
