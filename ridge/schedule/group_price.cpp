#include "ridge/schedule/group_price.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ridge/cost/index_steps.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/domain.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

using cost::AroundLoop;
using cost::Block;
using cost::MemoryAccess;
using cost::Nest;

double known(const Size& size) { return static_cast<double>(size.hint_or(1)); }

class GroupNest {
 public:
  GroupNest(const Program& program, const Group& group,
            const std::vector<std::vector<int32_t>>& readers)
      : program_(program), group_(group), readers_(readers), extents_(group.extents()) {
    for (const Member& member : group.members) inside_.insert(member.node);
  }

  cost::KernelNest make() {
    cost::KernelNest result;
    // Nothing runs, and indices may have no value: 0 // 0.
    for (const Size& extent : extents_) {
      if (known(extent) <= 0) return result;
    }
    Nest* rows = &result.root;
    const size_t outer = group_.outer.size();
    const bool is_map = group_.inner.empty();
    if (group_.kind == GroupKind::contraction && find_product_axes()) {
      fill_product(result);
      return result;
    }
    // Lanes go along the last axis; of a map that is the last of the result.
    const size_t threads = is_map && outer > 0 ? outer - 1 : outer;
    double points = 1;
    for (size_t i = threads; i < extents_.size(); ++i) points *= known(extents_[i]);
    for (size_t i = 0; i < threads; ++i) rows = open(rows, i, loop::Place::thread);
    const double pieces = is_map ? std::max(1.0, points / static_cast<double>(kVectorChunk)) : 1;
    result.tasks = tasks_ * pieces;
    result.grain = std::max(1.0, static_cast<double>(kPointsPerThread) * pieces / points);
    if (is_map) {
      Nest* lanes = outer > 0 ? open(rows, outer - 1, loop::Place::vector) : rows;
      Block block;
      for (const Member& member : group_.members) add_member(block, member);
      lanes->items.push_back(std::move(block));
    } else {
      fill_passes(*rows, outer);
    }
    return result;
  }

 private:
  Nest* open(Nest* around, size_t axis, loop::Place place) {
    const double trips = known(extents_[axis]);
    open_.push_back({static_cast<int>(axis), trips, place});
    if (place == loop::Place::thread) tasks_ *= trips;
    around->items.push_back(Nest{place, static_cast<int>(axis), trips, {}});
    return &std::get<Nest>(around->items.back());
  }

  // A pass over the row for each reduction that waits for another one.
  void fill_passes(Nest& row, size_t outer) {
    const std::vector<int> passes = passes_of(program_, group_);
    const int count = 1 + *std::max_element(passes.begin(), passes.end());
    const size_t depth = open_.size();
    for (int pass = 0; pass < count; ++pass) {
      std::vector<const Member*> along;
      for (size_t i = 0; i < passes.size(); ++i) {
        const Member& member = group_.members[i];
        if (passes[i] == pass && !is_once_a_row(member)) along.push_back(&member);
      }
      if (along.empty()) continue;
      Nest* lanes = &row;
      for (size_t i = outer; i < extents_.size(); ++i) {
        lanes =
            open(lanes, i, i + 1 == extents_.size() ? loop::Place::vector : loop::Place::serial);
      }
      Block block;
      for (const Member* member : along) add_member(block, *member);
      open_.resize(depth);
      lanes->items.push_back(std::move(block));
    }
    Block once;
    for (const Member& member : group_.members) {
      if (is_once_a_row(member)) add_member(once, member);
      if (!program_.meaning(member.node).is_map()) add_store(once, member);
    }
    row.items.push_back(std::move(once));
  }

  bool is_once_a_row(const Member& member) const {
    return member.is_row && program_.meaning(member.node).is_map();
  }

  // Which axes of the result only one factor has: n is the last such one, and its factor is rhs.
  bool find_product_axes() {
    const Member& first = group_.members.front();
    const auto factors = factors_of(program_.meaning(first.node).definition.value);
    if (!factors || group_.inner.size() != 1) return false;
    const uint64_t lhs = axes_in(substitute_axes(factors->lhs, first.axes));
    const uint64_t rhs = axes_in(substitute_axes(factors->rhs, first.axes));
    m_ = n_ = -1;
    const auto count = static_cast<int>(group_.outer.size());
    for (int axis = 0; axis < count; ++axis) {
      if ((((lhs ^ rhs) >> axis) & 1) != 0) n_ = axis;
    }
    for (int axis = 0; axis < count; ++axis) {
      const bool is_other = n_ >= 0 && ((lhs >> axis) & 1) != ((lhs >> n_) & 1);
      if ((((lhs ^ rhs) >> axis) & 1) != 0 && is_other) m_ = axis;
    }
    return m_ >= 0 && n_ >= 0;
  }

  void fill_product(cost::KernelNest& result) {
    Nest* rows = &result.root;
    for (int axis = 0; axis < static_cast<int>(group_.outer.size()); ++axis) {
      if (axis != m_ && axis != n_)
        rows = open(rows, static_cast<size_t>(axis), loop::Place::thread);
    }
    const auto k = static_cast<int>(group_.outer.size());
    const auto extent = [&](int axis) { return known(extents_[static_cast<size_t>(axis)]); };
    cost::Product product{};
    product.m_axis = m_;
    product.n_axis = n_;
    product.k_axis = k;
    product.m = extent(m_);
    product.n = extent(n_);
    product.k = extent(k);
    product.is_lhs_along_k = product.is_rhs_along_n = true;
    open_.push_back({m_, product.m, loop::Place::serial});
    open_.push_back({k, product.k, loop::Place::serial});
    open_.push_back({n_, product.n, loop::Place::vector});
    const Member& first = group_.members.front();
    for (const Read& read : program_.reads(first.node)) {
      uint64_t axes = 0;
      std::vector<Expr> position;
      for (const Expr& index : read.position) {
        position.push_back(substitute_axes(index, first.axes));
        axes |= axes_in(position.back());
      }
      const bool is_rhs = ((axes >> n_) & 1) != 0;
      add_access(is_rhs ? product.rhs : product.lhs, read.value, position, false, read.is_indirect);
    }
    add_store(product.epilogue, first);
    for (size_t i = 1; i < group_.members.size(); ++i) {
      add_member(product.epilogue, group_.members[i]);
    }
    result.tasks = tasks_ * std::ceil(product.m / static_cast<double>(kTileRows)) *
                   std::ceil(product.n / static_cast<double>(kTileColumns));
    rows->items.push_back(std::move(product));
  }

  void add_member(Block& block, const Member& member) {
    const cost::Operations& operations = operations_of(member.node);
    for (size_t i = 0; i < operations.calls.size(); ++i) {
      block.operations.calls[i] += operations.calls[i];
    }
    block.operations.fused += operations.fused;
    const Meaning& meaning = program_.meaning(member.node);
    if (!meaning.is_map()) {
      ++block.operations.reductions;
      ++block.operations.reduction_instructions;
      block.operations.reduction_steps = 1;
    }
    for (const Read& read : program_.reads(member.node)) {
      const int32_t producer = program_.graph()[read.value].node;
      if (producer >= 0 && inside_.count(producer) != 0) continue;
      std::vector<Expr> position;
      for (const Expr& index : read.position) {
        position.push_back(substitute_axes(index, member.axes));
      }
      add_access(block, read.value, position, false, read.is_indirect);
    }
    if (meaning.is_map()) add_store(block, member);
  }

  void add_store(Block& block, const Member& member) {
    const ValueId value = program_.result(member.node);
    if (!is_needed_outside(value)) return;
    const size_t rank = program_.graph()[value].type.shape.size();
    add_access(block, value,
               {member.axes.begin(), member.axes.begin() + static_cast<ptrdiff_t>(rank)}, true,
               false);
  }

  bool is_needed_outside(ValueId value) const {
    if (program_.is_kept(value)) return true;
    const auto& readers = readers_[static_cast<size_t>(value.index)];
    return std::any_of(readers.begin(), readers.end(),
                       [&](int32_t reader) { return inside_.count(reader) == 0; });
  }

  void add_access(Block& block, ValueId value, const std::vector<Expr>& position, bool is_store,
                  bool is_indirect) {
    const auto& type = program_.graph()[value].type;
    Expr index = expr::constant(int64_t{0});
    for (size_t i = 0; i < position.size(); ++i) {
      index = index * type.shape[i].expression() + position[i];
    }
    uint64_t random = 0;
    if (is_indirect) random = axes_in(index);
    block.operations.conversions += type.dtype.bits < 32 ? 1 : 0;
    block.accesses.push_back({.buffer = value.index,
                              .is_store = is_store,
                              .element_bytes = std::max(1, type.dtype.bits / 8),
                              .elements = known(numel(type.shape)),
                              .steps = cost::steps_of(index, open_, {}, random)});
  }

  // Of a root and what is inlined into it.
  const cost::Operations& operations_of(int32_t node) {
    const auto [place, is_new] = operations_.try_emplace(node);
    if (!is_new) return place->second;
    cost::Operations operations;
    const Meaning& meaning = program_.meaning(node);
    cost::count_functions(meaning.definition.value, operations, [](const Expr&) {});
    for (const ValueId operand : meaning.operands) {
      const int32_t producer = operand.index < 0 ? -1 : program_.graph()[operand].node;
      if (producer < 0 || !program_.is_inlined(producer)) continue;
      const cost::Operations inner = operations_of(producer);
      for (size_t i = 0; i < inner.calls.size(); ++i) operations.calls[i] += inner.calls[i];
      operations.fused += inner.fused;
    }
    return operations_[node] = operations;
  }

  const Program& program_;
  const Group& group_;
  const std::vector<std::vector<int32_t>>& readers_;
  Shape extents_;
  std::set<int32_t> inside_;
  std::vector<AroundLoop> open_;
  std::map<int32_t, cost::Operations> operations_;
  double tasks_ = 1;
  int m_ = -1, n_ = -1;  // axes of a product
};

}  // namespace

GroupPricer::GroupPricer(const Program& program, const cost::Sheet& sheet)
    : program_(program), sheet_(sheet), readers_(program.graph().values.size()) {
  const auto add_bytes = [&](ValueId value) {
    const auto& type = program.graph()[value].type;
    resident_ += known(numel(type.shape)) * type.dtype.bits / 8;
  };
  for (const ValueId input : program.graph().inputs) add_bytes(input);
  const auto count = static_cast<int32_t>(program.graph().nodes.size());
  for (int32_t node = 0; node < count; ++node) {
    if (program.is_inlined(node)) continue;
    add_bytes(program.result(node));
    for (const Read& read : program.reads(node)) {
      auto& list = readers_[static_cast<size_t>(read.value.index)];
      if (list.empty() || list.back() != node) list.push_back(node);
    }
  }
}

double GroupPricer::seconds(const Group& group) const {
  return cost::price(GroupNest(program_, group, readers_).make(), sheet_, {.resident = resident_})
      .predicted;
}

}  // namespace ridge::schedule
