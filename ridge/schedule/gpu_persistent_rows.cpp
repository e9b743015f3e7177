#include "ridge/schedule/gpu_persistent_rows.h"

#include <algorithm>
#include <bit>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_column_kernel.h"
#include "ridge/schedule/gpu_mappings.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

// Columns of a block: from a sector of f32 to a line.
constexpr int64_t kFewestColumns = 8, kMaxColumns = 32;
constexpr int64_t kBlocksPerSm = 4;

// What is wanted for each column, as a group of its own: columns are its rows.
Group columns_of(const InlinedGraph& program, const Group& group) {
  const auto outer = static_cast<int>(group.outer.size());
  const auto inner = static_cast<int>(group.inner.size());
  std::vector<Expr> axes;
  for (int i = 0; i < outer; ++i) axes.push_back(expr::axis(inner + i));
  for (int i = 0; i < inner; ++i) axes.push_back(expr::axis(i));
  Group result{GroupKind::reduction, group.inner, group.outer, {}};
  for (const Member& member : group.members) {
    if (!member.is_per_column) continue;
    Member own{member.node, {}, program.node_definition(member.node).is_map()};
    for (const Expr& axis : member.axes) own.axes.push_back(substitute_axes(axis, axes));
    result.members.push_back(std::move(own));
  }
  return result;
}

// Few threads in a row, so that many blocks share the columns and each thread has few rows: partial sums are few
// bytes, and the time is the latency of dependent loads. More threads in a row where columns are so many that
// blocks are enough anyway.
ColumnTile partial_tile(const Size& columns, int64_t partials, int64_t sms) {
  const int64_t count = columns.known().value_or(1);
  int64_t most = kFewestColumns;
  while (most < kMaxColumns && count / (2 * most) >= kBlocksPerSm * sms) most *= 2;
  const int64_t column_threads = std::clamp<int64_t>(count, 1, most);
  const auto threads = static_cast<uint64_t>(kMaxBlockThreads / column_threads);
  const auto rows = std::bit_ceil(static_cast<uint64_t>(partials));
  return {1, column_threads, static_cast<int64_t>(std::min(std::bit_floor(threads), rows))};
}

}  // namespace

PersistentColumnSums::PersistentColumnSums(GpuEmitter& gpu) : gpu_(gpu), scratch_(gpu.input) {
  for (const Member& member : gpu.input.group.members) {
    if (member.is_per_column && gpu.group.is_reduction(member)) sums_.push_back({&member, -1});
  }
}

void PersistentColumnSums::declare(int64_t elements) {
  elements_ = elements;
  for (size_t i = 0; i < sums_.size(); ++i) {
    const DType dtype = gpu_.group.accumulator(*sums_[i].member);
    sums_[i].registers = own_.add(concat("column_", i), dtype, elements, loop::Space::local);
  }
}

void PersistentColumnSums::clear() {
  for (const Sum& sum : sums_) {
    const DType dtype = gpu_.group.accumulator(*sum.member);
    const int at = emitter_.add_axis(elements_);
    emitter_.open(at, loop::Place::serial);
    const Expr nothing = identity_of(gpu_.group.reducer(*sum.member), dtype);
    const int value = emitter_.let("nothing", dtype, dtype == f64 ? f64 : f32, nothing);
    emitter_.add({loop::Store{sum.registers, expr::axis(at), value}});
    emitter_.close();
  }
}

void PersistentColumnSums::accumulate(const Member& member, const Expr& at) {
  const Sum& sum = *std::ranges::find(sums_, &member, &Sum::member);
  const DType dtype = gpu_.group.accumulator(member);
  const int operand = emitter_.reduced_value(member);
  const Expr registers = expr::load(sum.registers, scalar_type(dtype), {at});
  // A sum by itself, so that lanes outside of a row can compute it too and only not store it.
  if (gpu_.group.reducer(member) == ops::Reducer::sum && is_floating(dtype)) {
    const int value = emitter_.let("column", dtype, dtype, registers + emitter_.read(operand));
    return emitter_.add({loop::Store{sum.registers, at, value}});
  }
  const int var = emitter_.new_value("column", dtype);
  emitter_.add({loop::Var{var, registers}});
  emitter_.add({loop::Reduce{var, combine_of(gpu_.group.reducer(member)), operand}});
  emitter_.add({loop::Store{sum.registers, at, var}});
}

void PersistentColumnSums::declare_partials(const RowLoops& loops) {
  partial_count_ = loops.partials > 0 ? loops.partials : loops.shape.persistent_blocks;
  partial_rows_ = loops.partial_rows;
  for (Sum& sum : sums_) {
    const DType dtype = gpu_.group.accumulator(*sum.member);
    const Shape shape{partial_count_, loops.room()};
    scratch_.add(*sum.member, dtype, shape, std::nullopt);
    sum.partials =
        scratch_buffer(emitter_, scratch_.partials(*sum.member), dtype, shape, loop::Access::out);
  }
}

void PersistentColumnSums::store_partials(const RowLoops& loops) {
  const Expr first = loops.number() * loops.room().expression();
  std::vector<int> to;
  if (loops.row < 0) {
    for (const Sum& sum : sums_) to.push_back(sum.partials);
    return store_registers(loops, to, first);
  }
  for (size_t i = 0; i < sums_.size(); ++i) {
    const DType dtype = gpu_.group.accumulator(*sums_[i].member);
    to.push_back(own_.add(concat("part_", i), dtype, loops.shape.rows * *loops.length.known()));
  }
  store_registers(loops, to, expr::axis(loops.row) * loops.length.expression());
  emitter_.add({loop::Barrier{}});
  combine_rows(loops, to, first);
}

void PersistentColumnSums::store_registers(const RowLoops& loops, const std::vector<int>& to,
                                           const Expr& base) {
  for (const PeeledLoop& peeled : *loops.peeled_loops) {
    emitter_.open_body();
    const Expr lane = loops.lane >= 0 ? expr::axis(loops.lane) : Expr(0);
    const Expr at = (expr::axis(peeled.step) + peeled.first) * loops.shape.width + lane;
    const Expr index = base + loops.first_of(peeled) + lane;
    for (size_t i = 0; i < sums_.size(); ++i) {
      const DType dtype = gpu_.group.accumulator(*sums_[i].member);
      const Expr registers =
          expr::load(sums_[i].registers, scalar_type(dtype), {emitter_.simplified(at)});
      const int value = emitter_.let("column", dtype, dtype == f64 ? f64 : f32, registers);
      emitter_.add({loop::Store{to[i], emitter_.simplified(index), value}});
    }
    loop::Statement stored = loops.around(peeled, emitter_.close_body());
    emitter_.add(std::move(stored));
  }
}

// From the first row of the block to the last, by one thread for each column.
void PersistentColumnSums::combine_rows(const RowLoops& loops, const std::vector<int>& parts,
                                        const Expr& base) {
  const int64_t threads = loops.shape.threads * loops.shape.rows;
  const int round = emitter_.add_axis(divided_up(loops.length, threads));
  const Expr column = expr::axis(round) * threads + expr::axis(loops.row) * loops.shape.threads +
                      expr::axis(loops.thread);
  emitter_.open(round, emitter_.extent(round).expression(), loop::Place::serial, false);
  emitter_.open_body(axis_mask({round, loops.row, loops.thread}));
  for (size_t i = 0; i < sums_.size(); ++i) {
    const Member& member = *sums_[i].member;
    const DType dtype = gpu_.group.accumulator(member);
    const int var = gpu_.group.declare(member);
    const int row = emitter_.add_axis(loops.shape.rows);
    emitter_.open(row, loop::Place::serial);
    const Expr index = emitter_.simplified(expr::axis(row) * loops.length.expression() + column);
    const int operand = emitter_.let("part", dtype, dtype == f64 ? f64 : f32,
                                     expr::load(parts[i], scalar_type(dtype), {index}));
    emitter_.add({loop::Reduce{var, combine_of(gpu_.group.reducer(member)), operand}});
    emitter_.close();
    emitter_.add({loop::Store{sums_[i].partials, emitter_.simplified(base + column), var}});
  }
  close_predicated(gpu_, column < loops.length.expression());
  emitter_.close();
}

EmittedGroup PersistentColumnSums::finish(const Decision& decision) {
  EmittedGroup result;
  result.kernels.push_back(gpu_.group.finish());
  own_.settle(result.kernels.front().kernel);
  result.kernels.front().decisions.push_back(decision);
  result.kernels.push_back(combined());
  result.scratch_buffers = std::move(scratch_.buffers);
  return result;
}

EmittedKernel PersistentColumnSums::combined() {
  const LoopInput& given = gpu_.input;
  const Group columns = columns_of(given.program, given.group);
  const LoopInput input{.program = given.program,
                        .group = columns,
                        .locations = given.locations,
                        .is_stored = given.is_stored,
                        .scratch = given.scratch,
                        .sheet = given.sheet,
                        .limits = given.limits,
                        .mapping = given.mapping,
                        .resident = given.resident,
                        .first_scratch = given.first_scratch};
  const RowPass pass = row_passes(input).front();
  const GpuEmitter merged(input);
  const Size column_count = merged.emitter.extent(merged.axes.outer.back());
  ColumnKernel kernel(input, partial_tile(column_count, partial_count_, given.limits.sms),
                      partial_count_);
  kernel.pass(pass, ColumnSource::partials, scratch_,
              partial_rows_.first ? &partial_rows_ : nullptr);
  kernel.store_row_values();
  return kernel.finish();
}

RowWork row_work(const LoopInput& input) {
  const GpuEmitter gpu(input);
  return row_work(gpu, row_width(gpu));
}

EmittedGroup gpu_persistent_rows(const LoopInput& input) {
  if (auto pipelined = gpu_pipeline(input)) return std::move(*pipelined);
  GpuEmitter gpu(input);
  PersistentColumnSums columns(gpu);
  emit_gpu_rows(gpu, &columns);
  return columns.finish(Decision::yes(
      concat(columns.partial_count(),
             " persistent blocks keep column sums in registers, which a second kernel combines")));
}

}  // namespace ridge::schedule
