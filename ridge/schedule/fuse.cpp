#include "ridge/schedule/fuse.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ridge/schedule/group_dependences.h"
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
  Merging(const InlinedGraph& program, Fusion apart, const cost::Sheet* sheet, double resident,
          const FusionOptions& options)
      : program_(program),
        not_fusible_(options.not_fusible),
        is_update_(parameter_updates(program.graph(), sheet)),
        groups_(std::move(apart.groups)),
        group_of_(std::move(apart.group_of)),
        waits_(program, groups_, group_of_),
        prices_(groups_.size()) {
    if (sheet != nullptr) pricer_.emplace(program, *sheet, resident, options.maps_products);
    if (has_recomputed(program.graph())) readers_ = readers_of(program);
  }

  // Consumers into producers, until nothing changes.
  void merge_along_values() {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (int32_t g = 0; g < static_cast<int32_t>(groups_.size()); ++g) {
        for (const int32_t producer : waits_.producers(g)) {
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
    const Readers readers = readers_of(program_);
    for (int32_t rows = 0; rows < static_cast<int32_t>(groups_.size()); ++rows) {
      if (!is_reduction(rows)) continue;
      std::set<int32_t> others = with_points_in_common(rows, readers);
      for (auto columns = others.begin(); columns != others.end(); ++columns) {
        // What has joined brings others, of which those that come later are still to be asked.
        if (try_columns(rows, *columns)) others.merge(with_points_in_common(rows, readers));
      }
    }
  }

  Fusion finish() {
    Fusion fusion;
    fusion.group_of.assign(group_of_.size(), -1);
    for (const int32_t g : waits_.in_order()) {
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
  static bool is_point(const Group& group) {
    return group.kind == GroupKind::map &&
           std::ranges::all_of(group.extents(), [](const Size& size) { return size.known() == 1; });
  }

  bool are_alike(int32_t a, int32_t b) const {
    const Group& first = groups_[static_cast<size_t>(a)];
    const Group& second = groups_[static_cast<size_t>(b)];
    if (a == b || first.members.empty() || second.members.empty()) return false;
    return first.kind == second.kind && first.kind != GroupKind::contraction &&
           first.kind != GroupKind::chain && !waits_.reaches(a, b, false) &&
           !waits_.reaches(b, a, false);
  }

  bool is_reduction(int32_t g) const {
    const Group& group = groups_[static_cast<size_t>(g)];
    return !group.members.empty() && group.kind == GroupKind::reduction;
  }

  // Other reductions that read of memory what this one reads or computes, element by element.
  std::set<int32_t> with_points_in_common(int32_t g, const Readers& readers) const {
    std::set<int32_t> others;
    const auto add_readers = [&](ValueId value) {
      const Shape& shape = program_.graph()[value].type.shape;
      if (shape.size() <= 1 || numel(shape).hint_or(2) <= 1) return;
      for (const int32_t reader : readers[static_cast<size_t>(value.index)]) {
        const int32_t other = group_of_[static_cast<size_t>(reader)];
        if (other != g && is_reduction(other)) others.insert(other);
      }
    };
    for (const Member& member : groups_[static_cast<size_t>(g)].members) {
      add_readers(program_.result(member.node));
      for (const Read& read : program_.reads(member.node)) add_readers(read.value);
    }
    return others;
  }

  bool try_columns(int32_t rows, int32_t columns) {
    const Group& first = groups_[static_cast<size_t>(rows)];
    const Group& second = groups_[static_cast<size_t>(columns)];
    std::optional<Merged> merged = schedule::merge_columns(program_, first, second);
    if (!merged || waits_.reaches(columns, rows, false)) return false;
    if (merged->decision) {
      if (Decision can = pricer_->can_be_persistent(merged->group); !can)
        merged->decision = std::move(can);
    }
    return settle(rows, columns, std::move(*merged));
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
    if (merged.decision && waits_.reaches(a, b, true)) {
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
    waits_.merge(a, b);
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
    for (const int32_t g : parts) {
      if (g != product) waits_.merge(product, g);
    }
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

  const InlinedGraph& program_;
  const std::vector<bool>& not_fusible_;
  std::vector<bool> is_update_;  // by node; empty where nothing is kept apart for it
  std::vector<Group> groups_;
  std::vector<int32_t> group_of_;
  GroupDependences waits_;
  std::vector<std::optional<double>> prices_;  // by group, in microseconds
  std::optional<GroupPricer> pricer_;
  std::vector<FusionDecision> decisions_;
  std::map<std::pair<int32_t, int32_t>, size_t> refused_;
  Readers readers_;      // by value; only where something is computed again
  Readers all_readers_;  // by value; only where there are chains
};

}  // namespace

Fusion fuse(const InlinedGraph& program, const cost::Sheet* sheet, double resident,
            const FusionOptions& options) {
  Merging merging(program, fuse_nothing(program), sheet, resident, options);
  merging.merge_along_values();
  merging.form_chains(options.chains);
  merging.merge_siblings();
  merging.merge_columns();
  return merging.finish();
}

Fusion fuse_nothing(const InlinedGraph& program) {
  Fusion fusion;
  fusion.group_of.assign(program.graph().nodes.size(), -1);
  for (size_t i = 0; i < fusion.group_of.size(); ++i) {
    const auto node = static_cast<int32_t>(i);
    if (program.is_inlined(node)) continue;
    fusion.group_of[i] = static_cast<int32_t>(fusion.groups.size());
    fusion.groups.push_back(group_of_one(program, node));
  }
  return fusion;
}

}  // namespace ridge::schedule
