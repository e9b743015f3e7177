#include "ridge/schedule/fuse.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include "ridge/base/small_vector.h"
#include "ridge/schedule/group_price.h"
#include "ridge/schedule/not_fusible.h"
#include "ridge/schedule/rank_keys.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

Shape Group::extents() const {
  Shape result = outer;
  for (const Size& size : inner) result.push_back(size);
  return result;
}

bool Group::has_columns() const {
  return std::ranges::any_of(members, [](const Member& member) { return member.is_per_column; });
}

namespace {

Group group_of_one(const InlinedGraph& program, int32_t node) {
  const NodeDefinition& node_definition = program.node_definition(node);
  const ops::Definition& d = node_definition.definition;
  const auto output_rank = static_cast<ptrdiff_t>(d.output_rank);
  Group group{GroupKind::map,
              Shape(d.extents.begin(), d.extents.begin() + output_rank),
              Shape(d.extents.begin() + output_rank, d.extents.end()),
              {}};
  if (d.is_scatter()) {
    group.kind = GroupKind::scatter;
  } else if (program.is_contraction(node)) {
    group.kind = GroupKind::contraction;
  } else if (d.reducer != ops::Reducer::none) {
    group.kind = GroupKind::reduction;
  }
  group.members.push_back({node, ops::all_axes(d.extents.size()), false});
  return group;
}

// Groups while they merge. Those that are gone are empty.
class Merging {
 public:
  Merging(const InlinedGraph& program, const cost::Sheet* sheet, double resident,
          const std::vector<bool>& not_fusible)
      : program_(program),
        not_fusible_(not_fusible),
        is_update_(parameter_updates(program.graph(), sheet)) {
    if (sheet != nullptr) pricer_.emplace(program, *sheet, resident);
    const auto count = static_cast<int32_t>(program.graph().nodes.size());
    group_of_.assign(static_cast<size_t>(count), -1);
    if (has_recomputed(program.graph())) readers_ = readers_of(program);
    for (int32_t node = 0; node < count; ++node) {
      if (program.is_inlined(node)) continue;
      group_of_[static_cast<size_t>(node)] = static_cast<int32_t>(groups_.size());
      groups_.push_back(group_of_one(program, node));
    }
    prices_.resize(groups_.size());
    seen_in_search_.assign(groups_.size(), 0);
    for (int32_t g = 0; g < static_cast<int32_t>(groups_.size()); ++g)
      topological_order_.push_back(g);
  }

  // Consumers into producers, until nothing changes.
  void merge_along_values() {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (int32_t g = 0; g < static_cast<int32_t>(groups_.size()); ++g) {
        for (const int32_t producer : producers(g)) {
          if (try_merge(producer, g)) {
            has_changed = true;
            break;
          }
        }
      }
    }
  }

  // On a CPU: products around a softmax, whatever kernels they and the softmax are by now.
  void form_chains(Chains chains) {
    if (chains == Chains::none || !pricer_ || pricer_->is_of_gpu()) return;
    for (int32_t g = 0; g < static_cast<int32_t>(groups_.size()); ++g) {
      const Group& group = groups_[static_cast<size_t>(g)];
      if (group.members.empty() || group.kind != GroupKind::contraction) continue;
      if (std::optional<FoundChain> found = find_chain(program_, group)) {
        settle_chain(g, std::move(*found), chains == Chains::always);
      }
    }
  }

  // Groups that read the same value and do not depend on each other.
  void merge_siblings() {
    std::vector<std::vector<int32_t>> readers(program_.graph().values.size());
    for (int32_t g = 0; g < static_cast<int32_t>(groups_.size()); ++g) {
      for (const Member& member : groups_[static_cast<size_t>(g)].members) {
        for (const Read& read : program_.reads(member.node)) {
          auto& list = readers[static_cast<size_t>(read.value.index)];
          // What large groups share of a single number is no reason to wait for each other.
          const bool is_large = numel(program_.graph()[read.value].type.shape).hint_or(2) > 1;
          const bool counts = is_large || is_point(groups_[static_cast<size_t>(g)]);
          if (counts && (list.empty() || list.back() != g)) list.push_back(g);
        }
      }
    }
    for (auto& list : readers) {
      for (size_t i = 0; i < list.size(); ++i) {
        const size_t end = std::min(list.size(), i + 1 + kMaxSiblings);
        for (size_t j = i + 1; j < end; ++j) {
          if (are_alike(list[i], list[j])) try_merge(list[i], list[j]);
        }
      }
    }
  }

  // On a GPU: sums over columns into the rows that they go down, at last, when both are complete.
  void merge_columns() {
    if (!pricer_ || !pricer_->is_of_gpu()) return;
    const auto count = static_cast<int32_t>(groups_.size());
    for (int32_t rows = 0; rows < count; ++rows) {
      for (int32_t columns = 0; columns < count; ++columns) {
        if (is_reduction(rows) && is_reduction(columns) && have_points_in_common(rows, columns)) {
          try_columns(rows, columns);
        }
      }
    }
  }

  Fusion finish() {
    Fusion fusion;
    fusion.group_of.assign(group_of_.size(), -1);
    for (const int32_t g : in_order()) {
      for (const Member& member : groups_[static_cast<size_t>(g)].members) {
        fusion.group_of[static_cast<size_t>(member.node)] =
            static_cast<int32_t>(fusion.groups.size());
      }
      fusion.groups.push_back(std::move(groups_[static_cast<size_t>(g)]));
    }
    fusion.decisions = std::move(decisions_);
    return fusion;
  }

 private:
  // Groups in ascending order. Asked for each pair that might merge, so mostly without an allocation.
  using GroupList = SmallVector<int32_t, 16>;

  GroupList producers(int32_t g) const {
    GroupList result;
    for (const Member& member : groups_[static_cast<size_t>(g)].members) {
      for (const Read& read : program_.reads(member.node)) {
        const int32_t node = program_.graph()[read.value].node;
        const int32_t other = node < 0 ? -1 : group_of_[static_cast<size_t>(node)];
        if (other >= 0 && other != g) result.push_back(other);
      }
    }
    std::ranges::sort(result);
    const auto repeated = std::ranges::unique(result);
    result.resize(result.size() - repeated.size());
    return result;
  }

  int32_t order_of(int32_t g) const { return topological_order_[static_cast<size_t>(g)]; }

  // Is there a way from `from` to `to`? `skip_direct` leaves out the edge between the two. Ranks grow
  // along each way, so what comes before `from` is on none: without this each question would search back
  // to the beginning of the graph.
  bool reaches(int32_t from, int32_t to, bool skip_direct) const {
    GroupList open{to};
    const int32_t now = ++last_search_;
    while (!open.empty()) {
      const int32_t g = open.back();
      open.pop_back();
      for (const int32_t producer : producers(g)) {
        if (producer == from) {
          if (g == to && skip_direct) continue;
          return true;
        }
        int32_t& seen = seen_in_search_[static_cast<size_t>(producer)];
        if (order_of(producer) > order_of(from) && seen != now) {
          seen = now;
          open.push_back(producer);
        }
      }
    }
    return false;
  }

  // Groups that were merged stand where the first of them did, unless they wait for something that
  // comes later: nodes far apart are then one, and all groups are ordered anew.
  void reorder_merged(int32_t g) {
    for (const int32_t producer : producers(g)) {
      if (order_of(producer) < order_of(g)) continue;
      const std::vector<int32_t> order = in_order();
      for (size_t i = 0; i < order.size(); ++i) {
        topological_order_[static_cast<size_t>(order[i])] = static_cast<int32_t>(i);
      }
      return;
    }
  }

  static bool is_point(const Group& group) {
    return group.kind == GroupKind::map &&
           std::ranges::all_of(group.extents(), [](const Size& size) { return size.known() == 1; });
  }

  bool are_alike(int32_t a, int32_t b) const {
    const Group& first = groups_[static_cast<size_t>(a)];
    const Group& second = groups_[static_cast<size_t>(b)];
    if (a == b || first.members.empty() || second.members.empty()) return false;
    return first.kind == second.kind && first.kind != GroupKind::contraction &&
           first.kind != GroupKind::chain && !reaches(a, b, false) && !reaches(b, a, false);
  }

  bool is_reduction(int32_t g) const {
    const Group& group = groups_[static_cast<size_t>(g)];
    return !group.members.empty() && group.kind == GroupKind::reduction;
  }

  // Does one read of memory what the other one reads or computes, element by element?
  bool have_points_in_common(int32_t a, int32_t b) const {
    if (a == b) return false;
    std::set<int32_t> large;
    const auto is_large = [&](ValueId value) {
      return program_.graph()[value].type.shape.size() > 1 &&
             numel(program_.graph()[value].type.shape).hint_or(2) > 1;
    };
    for (const Member& member : groups_[static_cast<size_t>(a)].members) {
      large.insert(program_.result(member.node).index);
      for (const Read& read : program_.reads(member.node)) large.insert(read.value.index);
    }
    return std::ranges::any_of(groups_[static_cast<size_t>(b)].members, [&](const Member& member) {
      return std::ranges::any_of(program_.reads(member.node), [&](const Read& read) {
        return is_large(read.value) && large.contains(read.value.index);
      });
    });
  }

  void try_columns(int32_t rows, int32_t columns) {
    const Group& first = groups_[static_cast<size_t>(rows)];
    const Group& second = groups_[static_cast<size_t>(columns)];
    std::optional<Merged> merged = schedule::merge_columns(program_, first, second);
    if (!merged || reaches(columns, rows, false)) return;
    if (merged->decision) {
      if (Decision can = pricer_->can_be_persistent(merged->group); !can)
        merged->decision = std::move(can);
    }
    settle(rows, columns, std::move(*merged));
  }

  bool is_library_product(const Group& group) const {
    return !not_fusible_.empty() && not_fusible_[static_cast<size_t>(group.members.front().node)];
  }

  bool try_merge(int32_t a, int32_t b) {
    Group& first = groups_[static_cast<size_t>(a)];
    Group& second = groups_[static_cast<size_t>(b)];
    const std::pair key(first.members.back().node, second.members.front().node);
    const size_t size = first.members.size() + second.members.size();
    if (const auto known = refused_.find(key); known != refused_.end() && known->second == size) {
      return false;
    }
    if (settle(a, b, merge(program_, first, second))) return true;
    refused_[key] = size;
    return false;
  }

  // Makes one group of the two if that is good in all other respects.
  bool settle(int32_t a, int32_t b, Merged merged) {
    Group& first = groups_[static_cast<size_t>(a)];
    Group& second = groups_[static_cast<size_t>(b)];
    const std::pair key(first.members.back().node, second.members.front().node);
    if (merged.decision && (is_library_product(first) || is_library_product(second))) {
      merged.decision = Decision::no("a library multiplies, and does nothing else");
    }
    if (merged.decision) merged.decision = can_keep_scan(merged);
    if (merged.decision && (did_not_compile(first) || did_not_compile(second))) {
      merged.decision = Decision::no("a kernel of the two did not compile");
    }
    if (merged.decision && keeps_recomputed(program_, readers_, merged.group)) {
      merged.decision = Decision::no("a recomputed value would be saved instead");
    }
    if (merged.decision && is_of_updates(first) != is_of_updates(second)) {
      merged.decision = Decision::no("the updates of all parameters are one launch");
    }
    if (merged.decision && reaches(a, b, true)) {
      merged.decision = Decision::no("another kernel must run between them");
    }
    if (merged.decision && pricer_) weigh(merged, a, b);
    decisions_.push_back({key.first, key.second, merged.decision});
    if (!merged.decision) return false;
    for (const Member& member : second.members) {
      group_of_[static_cast<size_t>(member.node)] = a;
    }
    first = std::move(merged.group);
    second.members.clear();
    topological_order_[static_cast<size_t>(a)] = std::min(order_of(a), order_of(b));
    reorder_merged(a);
    return true;
  }

  // Takes the place of the groups that its members are in, if those are in no other.
  void settle_chain(int32_t product, FoundChain found, bool is_wanted) {
    const int32_t second = groups_[static_cast<size_t>(product)].members.front().node;
    std::vector<int32_t> parts;
    if (found.decision) {
      parts = parts_of(*found.group);
      found.decision = can_be_chain(*found.group, parts, product);
    }
    if (found.decision) {
      const double chained = pricer_->microseconds(*found.group);
      double apart = 0;
      for (const int32_t g : parts) apart += price_of(g);
      if (chained > apart && !is_wanted)
        found.decision = Decision::no("kernels of their own are faster");
      found.decision.priced(chained, apart);
      if (found.decision) prices_[static_cast<size_t>(product)] = chained;
    }
    const int32_t first = found.chain ? found.chain->first : second;
    decisions_.push_back({first, second, found.decision});
    if (!found.decision) return;
    for (const int32_t g : parts) groups_[static_cast<size_t>(g)].members.clear();
    groups_[static_cast<size_t>(product)] = *found.group;
    for (const Member& member : found.group->members) {
      group_of_[static_cast<size_t>(member.node)] = product;
    }
    reorder_merged(product);
  }
  std::vector<int32_t> parts_of(const Group& chain) const {
    std::vector<int32_t> parts;
    for (const Member& member : chain.members) {
      const int32_t g = group_of_[static_cast<size_t>(member.node)];
      if (std::ranges::find(parts, g) == parts.end()) parts.push_back(g);
    }
    return parts;
  }
  Decision can_be_chain(const Group& chain, const std::vector<int32_t>& parts, int32_t product) {
    if (all_readers_.empty()) all_readers_ = readers_of(program_);
    const auto is_inside = [&](int32_t node) {
      return std::ranges::find(chain.members, node, &Member::node) != chain.members.end();
    };
    // What follows the second product has its result alone.
    const auto is_before_result = [&](int32_t node) {
      const bool is_after = group_of_[static_cast<size_t>(node)] == product;
      return is_inside(node) && (!is_after || node == chain.chain->second);
    };
    for (const int32_t g : parts) {
      for (const Member& member : groups_[static_cast<size_t>(g)].members) {
        if (!is_inside(member.node))
          return Decision::no("a part of it shares a kernel with others");
        if (is_library_product(groups_[static_cast<size_t>(g)]))
          return Decision::no("a library multiplies, and does nothing else");
        if (g == product) continue;
        const ValueId result = program_.result(member.node);
        const bool is_read_outside =
            program_.is_live_out(result) ||
            !std::ranges::all_of(all_readers_[static_cast<size_t>(result.index)], is_before_result);
        if (is_read_outside) return Decision::no("what is between the products is read elsewhere");
      }
    }
    return Decision::yes("scores stay in tiles");
  }

  // A kernel of a scan computes nothing else but maps of its results; a kernel of sort ranks nothing else at all.
  Decision can_keep_scan(const Merged& merged) const {
    const std::vector<Member>& members = merged.group.members;
    const auto is_sort_rank = [&](const Member& member) { return program_.is_rank(member.node); };
    const auto is_scan = [&](const Member& member) { return program_.is_scan(member.node); };
    if (std::ranges::any_of(members, is_sort_rank)) {
      return Decision::no("ranks are found by kernels of their own");
    }
    const auto scans = std::ranges::count_if(members, is_scan);
    const bool is_one_scan =
        scans == 1 && std::ranges::all_of(members, [&](const Member& member) {
          return is_scan(member) ||
                 (member.is_per_row && program_.node_definition(member.node).is_map());
        });
    if (scans > 0 && !is_one_scan) {
      return Decision::no("a scan shares a kernel with what follows at each of its points only");
    }
    const auto scan = std::ranges::find_if(members, is_scan);
    if (scan != members.end()) {
      const size_t along = scan_form(program_.node_definition(scan->node).definition)->along;
      if (scan->axes[along]->kind != expr::Kind::axis) {
        return Decision::no("what follows the scan cuts its rows");
      }
    }
    return merged.decision;
  }

  bool did_not_compile(const Group& group) const {
    return std::ranges::any_of(
        group.members, [&](const Member& member) { return program_.is_unfused(member.node); });
  }

  bool is_of_updates(const Group& group) const {
    return !is_update_.empty() && std::ranges::any_of(group.members, [&](const Member& member) {
      return is_update_[static_cast<size_t>(member.node)];
    });
  }

  // One kernel, or two?
  void weigh(Merged& merged, int32_t first, int32_t second) {
    const double fused = pricer_->microseconds(merged.group);
    const double apart = price_of(first) + price_of(second);
    if (fused > apart) merged.decision = Decision::no("two kernels are faster");
    merged.decision.priced(fused, apart);
    if (merged.decision) prices_[static_cast<size_t>(first)] = fused;
  }
  // Of a group as it is: asked once for each, not for each pair it is in.
  double price_of(int32_t g) {
    std::optional<double>& price = prices_[static_cast<size_t>(g)];
    if (!price) price = pricer_->microseconds(groups_[static_cast<size_t>(g)]);
    return *price;
  }

  // Producers first; among the free ones the one whose first node comes first, so that the order
  // is a function of the graph.
  std::vector<int32_t> in_order() const {
    std::vector<int32_t> order;
    std::vector<size_t> waits(groups_.size());  // for how many
    std::vector<SmallVector<int32_t, 4>> consumers(groups_.size());
    using Ready = std::pair<int32_t, int32_t>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    const auto add_ready = [&](int32_t g) {
      ready.push({groups_[static_cast<size_t>(g)].members.front().node, g});
    };
    for (int32_t g = 0; g < static_cast<int32_t>(groups_.size()); ++g) {
      if (groups_[static_cast<size_t>(g)].members.empty()) continue;
      const GroupList before = producers(g);
      waits[static_cast<size_t>(g)] = before.size();
      for (const int32_t p : before) consumers[static_cast<size_t>(p)].push_back(g);
      if (before.empty()) add_ready(g);
    }
    while (!ready.empty()) {
      const int32_t g = ready.top().second;
      ready.pop();
      order.push_back(g);
      for (const int32_t consumer : consumers[static_cast<size_t>(g)]) {
        if (--waits[static_cast<size_t>(consumer)] == 0) add_ready(consumer);
      }
    }
    const auto count =
        std::ranges::count_if(groups_, [](const Group& group) { return !group.members.empty(); });
    RIDGE_INTERNAL_CHECK(std::cmp_equal(order.size(), count), "kernels that wait for each other");
    return order;
  }

  const InlinedGraph& program_;
  const std::vector<bool>& not_fusible_;
  std::vector<bool> is_update_;  // by node; empty where nothing is kept apart for it
  std::vector<Group> groups_;
  std::vector<int32_t> group_of_;
  std::vector<int32_t> topological_order_;  // by group: producers before consumers
  mutable std::vector<int32_t>
      seen_in_search_;  // by group: the last search of `reaches` that saw it
  mutable int32_t last_search_ = 0;
  std::optional<GroupPricer> pricer_;
  std::vector<std::optional<double>> prices_;  // by group, in microseconds
  std::vector<FusionDecision> decisions_;
  std::map<std::pair<int32_t, int32_t>, size_t> refused_;
  Readers readers_;      // by value; only where something is computed again
  Readers all_readers_;  // by value; only where there are chains
};

}  // namespace

Fusion fuse(const InlinedGraph& program, const cost::Sheet* sheet, double resident,
            const std::vector<bool>& not_fusible, Chains chains) {
  Merging merging(program, sheet, resident, not_fusible);
  merging.merge_along_values();
  merging.form_chains(chains);
  merging.merge_siblings();
  merging.merge_columns();
  return merging.finish();
}

Fusion fuse_nothing(const InlinedGraph& program) {
  return Merging(program, nullptr, 0, {}).finish();
}

}  // namespace ridge::schedule
