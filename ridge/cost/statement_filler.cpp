#include "ridge/cost/statement_filler.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/cost/tuning.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::cost {

using expr::Expr;
using expr::Kind;
using loop::Place;
using loop::Scope;

void StatementFiller::find_pipelined_loops(const loop::Body& body) {
  for (const loop::Statement& statement : body) {
    if (const auto* const branch = std::get_if<loop::If>(&statement.kind)) {
      find_pipelined_loops(branch->then);
    } else if (const auto* const loop = std::get_if<loop::Loop>(&statement.kind)) {
      const bool is_pipelined =
          !loop->body.empty() && std::holds_alternative<loop::BulkCopy>(loop->body.front().kind);
      if (is_pipelined) pipelined_.add(loop->axis);
      find_pipelined_loops(loop->body);
    }
  }
}

AxisSet StatementFiller::read_along(const Expr& e) const {
  AxisSet axes;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind == Kind::input) axes |= read_along_[static_cast<size_t>(node->index)];
    if (node->kind != Kind::load) return;
    expr::walk(node->args[0], [&](const Expr& inner) {
      if (inner->kind == Kind::axis) axes.add(inner->index);
    });
  });
  return axes;
}

double StatementFiller::same_along(const Expr& e, const AroundLoop& loop) const {
  constexpr int64_t kMostAsked = 4096;
  double same = loop.trips;
  expr::walk(e, [&](const Expr& node) {
    if (node->kind == Kind::input && read_along_[static_cast<size_t>(node->index)].has(loop.axis)) {
      const auto& of_value = same_along_[static_cast<size_t>(node->index)];
      const auto found = of_value.find(loop.axis);
      same = std::min(same, found == of_value.end() ? 1.0 : found->second);
    }
    if (node->kind != Kind::load || !holds_axis(node->args[0], loop.axis)) return;
    const int64_t first = value_at(node->args[0], {}, sizes_);
    int64_t at = 1;
    const int64_t end = std::min(loop.last() + 1, kMostAsked);
    while (at < end && value_at(node->args[0], {{loop.axis, at}}, sizes_) == first) ++at;
    same = std::min(same, static_cast<double>(at));
  });
  return same;
}

void StatementFiller::share_lookups(MemoryAccess& access, const Expr& index) const {
  std::vector<AxisStep> together;
  for (AxisStep& step : access.steps) {
    const auto loop = std::ranges::find(filler_.around, step.axis, &AroundLoop::axis);
    const double same = step.is_random ? same_along(index, *loop) : 1;
    if (same <= 1) continue;
    const auto apart = static_cast<int64_t>(same) - 1;
    AxisStep near = step;
    near.is_random = false;
    near.trips = same;
    near.span = step.stride * apart;
    near.warp_span = step.stride * std::min<int64_t>(apart, tuning::kWarp - 1);
    near.warp_runs = static_cast<int>(std::ceil(tuning::kWarp / same));
    together.push_back(near);
    step.trips /= same;
  }
  // Those first: whoever asks for the step along an axis finds what a warp sees.
  access.steps.insert(access.steps.begin(), together.begin(), together.end());
}

void StatementFiller::add_access(BasicBlock& block, int buffer, const Expr& index,
                                 AccessKind kind) {
  const loop::Buffer& b = kernel_.buffers[static_cast<size_t>(buffer)];
  filler_.add_access(block,
                     {.buffer = buffer,
                      .is_store = kind.is_store,
                      .elements = static_cast<double>(value_at(b.elements, {}, sizes_)),
                      .steps = {},
                      .dtype = b.dtype,
                      .space = b.space,
                      .is_copy = kind.is_copy,
                      .is_prefetched = kind.is_prefetched},
                     index, read_along(index));
  if (is_gpu_) share_lookups(block.accesses.back(), index);
}

void StatementFiller::add_value(BasicBlock& block, const Expr& e, DType dtype, DType arithmetic,
                                const ValueFacts& facts, bool is_copy) {
  const auto on_load = [&](const Expr& load) {
    const bool is_there = is_gpu_ && !known_.is_first_read(load);
    add_access(block, load->index, load->args[0], {.is_copy = is_copy || is_there});
  };
  filler_.add_value(block, e, dtype, arithmetic, on_load, facts);
}

void StatementFiller::add_let(BasicBlock& block, const loop::Let& let) {
  const auto value = static_cast<size_t>(let.value);
  read_along_[value] = read_along(let.expression);
  const bool is_index = is_gpu_ && let.expression->type == expr::Type::integer;
  for (const AroundLoop& loop : filler_.around) {
    if (is_index && read_along_[value].has(loop.axis)) {
      same_along_[value][loop.axis] = same_along(let.expression, loop);
    }
  }
  add_value(block, let.expression, dtype_of(let.value), let.arithmetic, known_.facts_of(let),
            !let.rounds && is_copied(let.value));
  register_bytes_ += sizeof(float) * known_.kept_in(let) * trips_of_thread();
  known_.define(let);
  if (let.rounds) block.operations.conversions += is_copied(let.value) ? tuning::kRoundingShare : 1;
}

void StatementFiller::add_condition(BasicBlock& block, const Expr& condition) {
  bool is_index = true;
  expr::walk(condition, [&](const Expr& node) {
    is_index &= node->kind != expr::Kind::load && node->kind != expr::Kind::input;
  });
  if (!is_index) return add_value(block, condition, boolean, f32);
  expr::walk(condition, [&](const Expr& node) {
    if (node->kind != expr::Kind::call || node->type != expr::Type::boolean) return;
    ++block.operations.calls[static_cast<size_t>(node->function)];
  });
}

void StatementFiller::add_store(BasicBlock& block, const loop::Store& store) {
  const bool is_copy = is_copied(store.value);
  add_access(block, store.buffer, store.index, {.is_store = true, .is_copy = is_copy});
  const DType dtype = kernel_.buffers[static_cast<size_t>(store.buffer)].dtype;
  if (is_gpu_ && !is_copy && is_16_bit_float(dtype)) {
    block.operations.conversions -= 1 - tuning::kRoundingShare;
  }
}

void StatementFiller::add_async_copy(BasicBlock& block, const loop::AsyncCopy& copy) {
  add_access(block, copy.from, copy.from_index, {.is_copy = true, .is_prefetched = true});
  add_access(block, copy.buffer, copy.index,
             {.is_store = true, .is_copy = true, .is_prefetched = true});
}

double StatementFiller::bulk_copy_elements(const loop::BulkCopy& copy) const {
  const Expr& room = kernel_.buffers[static_cast<size_t>(copy.buffer)].elements;
  bool is_known = true;
  expr::walk(copy.count, [&](const Expr& node) {
    is_known &= node->kind != Kind::load && node->kind != Kind::input;
  });
  return mean_of(is_known ? copy.count : room, filler_.around, sizes_);
}

void StatementFiller::add_bulk_copy(BasicBlock& block, const loop::BulkCopy& copy) {
  const double count = bulk_copy_elements(copy);
  if (count <= 0) return;
  const auto add_run = [&](int buffer, const Expr& first, bool is_store) {
    add_access(block, buffer, first,
               {.is_store = is_store, .is_copy = true, .is_prefetched = true});
    MemoryAccess& access = block.accesses.back();
    const int64_t span = static_cast<int64_t>(std::ceil(count)) - 1;
    access.steps.push_back({.axis = -1,
                            .trips = count,
                            .stride = 1,
                            .span = span,
                            .warp_span = std::min<int64_t>(span, tuning::kWarp - 1)});
    access.bulk_elements = count;
  };
  add_run(copy.from, copy.first, false);
  add_run(copy.buffer, expr::constant(int64_t{0}), true);
}

void StatementFiller::add_statement(BasicBlock& block, const loop::Statement& statement) {
  if (const auto* let = std::get_if<loop::Let>(&statement.kind)) {
    add_let(block, *let);
  } else if (const auto* assign = std::get_if<loop::Assign>(&statement.kind)) {
    add_value(block, assign->expression, dtype_of(assign->value), assign->arithmetic);
    known_.change(assign->value);
  } else if (const auto* reduce = std::get_if<loop::Reduce>(&statement.kind)) {
    filler_.add_reduction(block, reduce->combine, dtype_of(reduce->value));
    known_.change(reduce->value);
  } else if (const auto* store = std::get_if<loop::Store>(&statement.kind)) {
    add_store(block, *store);
  } else if (const auto* copy = std::get_if<loop::AsyncCopy>(&statement.kind)) {
    add_async_copy(block, *copy);
  } else if (const auto* bulk = std::get_if<loop::BulkCopy>(&statement.kind)) {
    add_bulk_copy(block, *bulk);
  } else if (const auto* collective = std::get_if<loop::CollectiveReduce>(&statement.kind)) {
    filler_.add_collective(block, collective->combine, dtype_of(collective->value),
                           threads_of(*collective));
    block.operations.cluster_barriers += collective->scope == Scope::cluster ? 1 : 0;
    block.is_pipelined = !filler_.around.empty() && pipelined_.has(filler_.around.back().axis);
    known_.change(collective->value);
  } else if (std::holds_alternative<loop::Barrier>(statement.kind)) {
    ++block.operations.barriers;
  }
}

double StatementFiller::trips_of_thread() const {
  double trips = 1;
  for (const AroundLoop& loop : filler_.around) {
    if (loop.place == Place::serial || loop.place == Place::vector) trips *= loop.trips;
  }
  return trips;
}

double StatementFiller::threads_of(const loop::CollectiveReduce& collective) const {
  if (collective.threads > 0) return collective.threads;
  if (collective.scope == Scope::warp) return tuning::kWarp;
  double threads = 1;
  for (const AroundLoop& loop : filler_.around) {
    const bool is_in_block = loop.place == Place::gpu_thread;
    const bool is_in_cluster =
        loop.place == Place::gpu_cluster_block && collective.scope == Scope::cluster;
    if (is_in_block || is_in_cluster) threads *= loop.trips;
  }
  return threads;
}

}  // namespace ridge::cost
