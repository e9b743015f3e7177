#include "ridge/schedule/batch.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "ridge/base/text.h"
#include "ridge/cost/price.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

namespace {

class BatchFormer {
 public:
  BatchFormer(const InlinedGraph& program, Fusion& fusion, Target target)
      : program_(program), fusion_(fusion), target_(target) {
    for (size_t i = 0; i < fusion.groups.size(); ++i) {
      order_.push_back(i);
      position_.push_back(i);
    }
    find_successors();
  }

  bool form(BatchMaps& maps) {
    std::map<std::pair<std::string, bool>, std::vector<size_t>> equal;
    for (size_t g = 0; g < maps.size(); ++g) {
      if (!maps[g]) continue;
      const bool is_update = only_updates(g);
      if (target_ == Target::cpu && !is_update) continue;
      equal[{maps[g]->text, !is_update && reads_much(g)}].push_back(g);
    }
    std::vector<std::pair<bool, std::vector<size_t>>> classes;
    for (auto& [key, groups] : equal) classes.emplace_back(key.second, std::move(groups));
    // In the order of the program, whatever their texts are.
    std::ranges::sort(classes, {}, [](const auto& one) { return one.second.front(); });
    for (const auto& [stays, groups] : classes) form_from(groups, stays);
    if (count_ > 0) reorder(maps);
    return count_ > 0;
  }

 private:
  int32_t group_of(int32_t node) const {
    return node < 0 ? -1 : fusion_.group_of[static_cast<size_t>(node)];
  }
  template <class F>
  void for_each_read(const F& f) const {
    for (size_t g = 0; g < fusion_.groups.size(); ++g) {
      for (const Member& member : fusion_.groups[g].members) {
        for (const Read& read : program_.reads(member.node)) f(g, read.value);
      }
    }
  }

  // Who needs what a group computes, and who updates an input that it reads: in place, if nobody reads
  // that input later.
  void find_successors() {
    successors_.resize(fusion_.groups.size());
    std::map<ValueId, int32_t> updater;
    for (const graph::Update& update : program_.graph().updates) {
      updater[update.input] = group_of(program_.graph()[update.value].node);
      updates_.insert(update.value);
    }
    for_each_read([&](size_t g, ValueId value) {
      const int32_t maker = group_of(program_.graph()[value].node);
      if (maker >= 0 && static_cast<size_t>(maker) != g) {
        successors_[static_cast<size_t>(maker)].insert(g);
      }
      const auto found = updater.find(value);
      if (found == updater.end()) return;
      const int32_t later = found->second;
      if (later > static_cast<int32_t>(g)) successors_[g].insert(static_cast<size_t>(later));
    });
  }

  // New values of inputs, and nothing else: the step of an optimizer. All that waits for it is the end
  // of the program, so it may read temporaries of any size late.
  bool only_updates(size_t group) const {
    return successors_[group].empty() &&
           std::ranges::all_of(fusion_.groups[group].members, [&](const Member& member) {
             const ValueId value = program_.result(member.node);
             return updates_.contains(value) || !program_.is_live_out(value);
           });
  }

  // Temporaries that would stay in memory, and leave the cache, if the group ran later.
  bool reads_much(size_t group) const {
    std::set<ValueId> values;
    for (const Member& member : fusion_.groups[group].members) {
      for (const Read& read : program_.reads(member.node)) {
        const int32_t maker = group_of(program_.graph()[read.value].node);
        const bool is_inside = maker == static_cast<int32_t>(group);
        if (maker >= 0 && !is_inside && !program_.is_live_out(read.value))
          values.insert(read.value);
      }
    }
    int64_t bytes = 0;
    for (const ValueId value : values) {
      const graph::Type& type = program_.graph()[value].type;
      bytes += numel(type.shape).known().value_or(kMaxDelayedBytes) * type.dtype.bits / 8;
    }
    return bytes > kMaxDelayedBytes;
  }

  // The position that it must come before.
  size_t limit_of(size_t group) const {
    size_t limit = order_.size();
    for (const size_t next : successors_[group]) limit = std::min(limit, position_[next]);
    return limit;
  }

  // All run where the last one does. Those that stay become one only where nothing is in between.
  void form_from(std::vector<size_t> groups, bool stays) {
    std::ranges::sort(groups, {}, [&](size_t g) { return position_[g]; });
    std::vector<size_t> batch;
    size_t limit = 0;
    const auto finish = [&] {
      if (batch.size() >= (target_ == Target::cpu ? kMinCpuEntries : kMinGpuEntries)) gather(batch);
      batch.clear();
      limit = order_.size();
    };
    finish();
    for (const size_t group : groups) {
      const bool is_next = !batch.empty() && position_[group] == position_[batch.back()] + 1;
      if (position_[group] >= limit || (stays && !is_next)) finish();
      batch.push_back(group);
      limit = std::min(limit, limit_of(group));
    }
    finish();
  }

  void gather(const std::vector<size_t>& batch) {
    const size_t first = position_[batch.front()], last = position_[batch.back()];
    for (const size_t group : batch) fusion_.groups[group].batch = count_;
    std::stable_partition(order_.begin() + static_cast<ptrdiff_t>(first),
                          order_.begin() + static_cast<ptrdiff_t>(last) + 1,
                          [&](size_t group) { return fusion_.groups[group].batch != count_; });
    for (size_t i = first; i <= last; ++i) position_[order_[i]] = i;
    ++count_;
  }

  void reorder(BatchMaps& maps) {
    std::vector<Group> groups;
    BatchMaps ordered;
    for (const size_t group : order_) {
      groups.push_back(std::move(fusion_.groups[group]));
      ordered.push_back(std::move(maps[group]));
    }
    fusion_.groups = std::move(groups);
    maps = std::move(ordered);
    for (int32_t& group : fusion_.group_of) {
      if (group >= 0) group = static_cast<int32_t>(position_[static_cast<size_t>(group)]);
    }
  }

  const InlinedGraph& program_;
  Fusion& fusion_;
  Target target_;
  std::set<ValueId> updates_;     // values that become inputs
  std::vector<size_t> order_;     // the groups, as they are to run
  std::vector<size_t> position_;  // of each group in that order
  std::vector<std::set<size_t>> successors_;
  int32_t count_ = 0;
};

}  // namespace

bool form_batches(const InlinedGraph& program, Fusion& fusion, BatchMaps& maps, Target target) {
  return BatchFormer(program, fusion, target).form(maps);
}

namespace {

// A pointer for each buffer, and for each entry its count and first block.
constexpr auto kMaxArgumentBytes = static_cast<size_t>(loop::kCudaLimits.argument_bytes);

size_t most_entries(const loop::Kernel& kernel) {
  const size_t entry = sizeof(void*) * kernel.argument_count() + 2 * sizeof(int32_t);
  return (kMaxArgumentBytes - entry) / entry;
}

}  // namespace

void BatchJoiner::add(KernelCall call) {
  close();
  calls_.push_back(std::move(call));
}

void BatchJoiner::add_entry(KernelCall call, BatchMap map, int32_t batch) {
  if (batch != batch_) close();
  batch_ = batch;
  if (parts_.empty()) {
    kernel_ = target_ == Target::gpu ? gpu_batch_kernel(map.point) : cpu_batch_kernel(map.point);
  }
  parts_.push_back({std::move(call), std::move(map)});
}

std::vector<KernelCall> BatchJoiner::finish() {
  close();
  return std::move(calls_);
}

void BatchJoiner::close() {
  std::span<Part> left(parts_);
  if (left.empty()) return;
  const size_t most = target_ == Target::gpu ? most_entries(kernel_) : left.size();
  const size_t calls = divided_up(left.size(), most);
  const size_t each = divided_up(left.size(), calls);
  while (!left.empty()) {
    const size_t count = std::min(left.size(), each);
    calls_.push_back(join(left.first(count)));
    left = left.subspan(count);
  }
  parts_.clear();
  batch_ = -1;
}

KernelCall BatchJoiner::join(std::span<Part> parts) const {
  KernelCall joined = parts.front().call;
  joined.kernel = kernel_;
  // The ops and lines of one of them: the others repeat them.
  describe(joined, graph_);
  joined.nodes.clear();
  joined.stored.clear();
  joined.checks.clear();
  joined.bytes = joined.flops = 0;
  int64_t total = 0;
  double apart_us = 0;
  std::map<int64_t, double> known_us;  // by count: layers are alike
  for (Part& part : parts) {
    const KernelCall& call = part.call;
    joined.entries.push_back({std::move(part.map.buffers), part.map.count});
    joined.nodes.insert(joined.nodes.end(), call.nodes.begin(), call.nodes.end());
    joined.checks.insert(joined.checks.end(), call.checks.begin(), call.checks.end());
    joined.stored.insert(joined.stored.end(), call.stored.begin(), call.stored.end());
    joined.bytes = joined.bytes + call.bytes;
    joined.flops = joined.flops + call.flops;
    total += part.map.count;
    const auto [known, is_new] = known_us.try_emplace(part.map.count);
    if (is_new) known->second = predicted_us(kernel_, part.map.count);
    apart_us += known->second;
  }
  std::ranges::sort(joined.nodes);
  joined.sizes = {Expr(total)};
  joined.kernel.notes.push_back(
      concat(parts.size(), " tensors in one launch, of ", total, " elements in all"));
  joined.decisions = {Decision::yes(concat("one launch for ", parts.size(), " equal maps"))
                          .priced(predicted_us(kernel_, total), apart_us)};
  return joined;
}

double BatchJoiner::predicted_us(const loop::Kernel& kernel, int64_t count) const {
  const cost::KernelNest nest = cost::nest_of(kernel, std::span(&count, 1));
  return 1e6 * cost::price(nest, sheet_, {.resident = resident_}).predicted;
}

}  // namespace ridge::schedule
