// Chains on a CPU (Note [Streamed softmax] in chain.h): an unmapped kernel over tiles. A task has a tile of
// queries and goes along the keys:
//
//            keys ->                              load q, o = 0, top = -inf, total = 0
//   queries  +------+------+------+               for each tile of keys
//            |  s   |      |      |  x v = o        load k; s = q * k; s = x(s); top, shift, factor
//            +------+------+------+                 s = exp(s - shift); total, o *= factor
//                                                   load v; o += s * v
//                                                 out = o / total, and what follows
//
// Tiles of s and of packed k and v stay in the second-level cache of the core.
#include <algorithm>
#include <limits>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/cpu_loops.h"
#include "ridge/schedule/group_emitter.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

using loop::Along;
using loop::Combine;
using loop::Statement;

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// Pieces of about `most`, all alike, of whole units.
int64_t piece_of(const Size& extent, int64_t most, int64_t unit) {
  const auto known = extent.known();
  if (!known) return most;
  const auto divided_up_by = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  const int64_t parts = std::max<int64_t>(1, divided_up_by(*known, most));
  return divided_up_by(divided_up_by(*known, parts), unit) * unit;
}

class CpuChain {
 public:
  CpuChain(const LoopInput& input, const CpuVariant& variant)
      : input_(input),
        variant_(variant),
        chain_(*input.group.chain),
        emitter_(input.program, input.group, input.locations),
        dtype_(chain_.dtype) {
    declare_axes();
    declare_tiles();
  }

  EmittedKernel run() {
    for (const int axis : around_) emitter_.open(axis, loop::Place::cpu_thread);
    load_factor(chain_.first, chain_.m, {q_, row_, depth_, {}, {row_limit(), {}}});
    fill(o_, 0);
    fill(top_, kMinusInfinity);
    fill(total_, 0);
    emitter_.open(key_part_, key_tiles(), loop::Place::serial);
    emit_step();
    emitter_.close();
    emit_result();
    for (size_t i = 0; i < around_.size(); ++i) emitter_.close();
    emitter_.kernel().grain = Expr(1);
    const std::vector<int> buffers = emitter_.buffers();
    return {emitter_.finish(), buffers, {}};
  }

 private:
  const Size& extent(int group_axis) const {
    const Shape &outer = input_.group.outer, &inner = input_.group.inner;
    const auto at = static_cast<size_t>(group_axis);
    return at < outer.size() ? outer[at] : inner[at - outer.size()];
  }
  const Member& member(int32_t node) const {
    return *std::ranges::find(input_.group.members, node, &Member::node);
  }

  void declare_axes() {
    rows_ = piece_of(extent(chain_.m), variant_.chain_queries, kChainRowUnit);
    columns_ = piece_of(extent(chain_.n), variant_.chain_keys, kChainKeyUnit);
    const size_t count = input_.group.outer.size() + input_.group.inner.size();
    std::vector<Expr> axes(count);
    for (int i = 0; i < static_cast<int>(input_.group.outer.size()); ++i) {
      if (i == chain_.m || i == chain_.d) continue;
      around_.push_back(emitter_.add_axis(extent(i)));
      axes[static_cast<size_t>(i)] = expr::axis(around_.back());
    }
    row_part_ = emitter_.add_axis(divided_up(extent(chain_.m), rows_));
    around_.push_back(row_part_);
    key_part_ = emitter_.add_axis(divided_up(extent(chain_.n), columns_));
    row_ = emitter_.add_axis(rows_);
    key_ = emitter_.add_axis(columns_);
    depth_ = emitter_.add_axis(extent(chain_.k));
    width_ = emitter_.add_axis(extent(chain_.d));
    one_ = emitter_.add_axis(1);
    axes[static_cast<size_t>(chain_.m)] = expr::axis(row_part_) * rows_ + expr::axis(row_);
    axes[static_cast<size_t>(chain_.n)] = expr::axis(key_part_) * columns_ + expr::axis(key_);
    axes[static_cast<size_t>(chain_.k)] = expr::axis(depth_);
    axes[static_cast<size_t>(chain_.d)] = expr::axis(width_);
    emitter_.set_group_axes(std::move(axes));
  }

  int tile(std::string name, const Expr& rows, const Expr& columns) {
    std::vector<loop::Tile>& tiles = emitter_.kernel().tiles;
    tiles.push_back({.name = std::move(name), .dtype = dtype_, .rows = rows, .columns = columns});
    return static_cast<int>(tiles.size()) - 1;
  }
  void declare_tiles() {
    const Expr depth = extent(chain_.k).expression(), width = extent(chain_.d).expression();
    q_ = tile("q", rows_, depth);
    k_ = tile("k", depth, columns_);
    v_ = tile("v", columns_, width);
    s_ = tile("s", rows_, columns_);
    o_ = tile("o", rows_, width);
    top_ = tile("top", rows_, 1);
    before_ = tile("before", rows_, 1);
    shift_ = tile("shift", rows_, 1);
    factor_ = tile("factor", rows_, 1);
    total_ = tile("total", rows_, 1);
  }

  // Of whole pieces there is no limit.
  Expr limit(int group_axis, int part, int64_t piece) const {
    const auto known = extent(group_axis).known();
    if (known && *known % piece == 0) return {};
    return emitter_.simplified(extent(group_axis).expression() - expr::axis(part) * piece);
  }
  Expr row_limit() const { return limit(chain_.m, row_part_, rows_); }
  Expr key_limit() const { return limit(chain_.n, key_part_, columns_); }

  // Tiles of keys that some query of the task may see.
  Expr key_tiles() {
    const Expr all = emitter_.extent(key_part_).expression();
    if (chain_.last_key.get() == nullptr) return all;
    Expr last = substitute_axes(chain_.last_key, emitter_.group_axes());
    last = expr::transform(last, [&](const Expr& e) {
      const bool is_row = e->kind == expr::Kind::axis && e->index == row_;
      return is_row ? Expr(rows_ - 1) : e;
    });
    const Expr seen = expr::floor_div(last, Expr(columns_)) + 1;
    return emitter_.simplified(expr::max(expr::min(all, seen), Expr(0)));
  }

  void fill(int tile, double value) { emitter_.add({loop::FillTile{tile, Expr(value)}}); }
  // The factor of a product that has an axis of the group which the other one has not.
  void load_factor(int32_t product, int own_axis, const loop::LoadTile& load) {
    const Member& of = member(product);
    const auto factors = factors_of(input_.program.node_definition(product).definition.value);
    const uint64_t lhs = axes_in(substitute_axes(factors->lhs, of.axes));
    const bool is_lhs = ((lhs >> own_axis) & 1) != 0;
    loop::LoadTile whole = load;
    whole.element =
        expr::cast(emitter_.raw(of, is_lhs ? factors->lhs : factors->rhs), expr::Type::real);
    emitter_.add({std::move(whole)});
  }
  void dot(int into, int lhs, int rhs) {
    emitter_.add({loop::Dot{.into = into, .lhs = {lhs}, .rhs = {rhs}}});
  }
  void fold(int into, Combine combine) {
    emitter_.add({loop::FoldTile{into, combine, s_, Along::columns, {row_limit(), key_limit()}}});
  }

  // `each`, with what `emit` makes of it inside.
  template <class Emit>
  void each(int tile, int column_axis, const Emit& emit, Expr columns = {}) {
    emitter_.open_body((uint64_t{1} << row_) | (uint64_t{1} << column_axis));
    emit();
    loop::Body body = emitter_.close_body();
    emitter_.add({loop::EachElement{
        row_, column_axis, tile, {row_limit(), std::move(columns)}, std::move(body)}});
  }
  Expr read(int tile) {
    const int value =
        emitter_.new_value(emitter_.kernel().tiles[static_cast<size_t>(tile)].name, dtype_);
    emitter_.add({loop::ReadElement{value, tile}});
    return emitter_.read(value);
  }
  void write(int tile, const Expr& e, FunctionForms forms = {}) {
    int value = e->kind == expr::Kind::input ? e->index : -1;
    if (value < 0) value = emitter_.let("", dtype_, dtype_, e, {}, forms);
    emitter_.add({loop::WriteElement{tile, value}});
  }
  FunctionForms forms_of(int32_t node) const {
    const auto& forms = input_.program.graph().nodes[static_cast<size_t>(node)].forms;
    return dtype_ == f32 ? forms.value_or(FunctionForms{}) : FunctionForms{};
  }

  void emit_step() {
    load_factor(chain_.first, chain_.n, {k_, depth_, key_, {}, {{}, key_limit()}});
    fill(s_, 0);
    dot(s_, q_, k_);
    each(s_, key_, [&] { emit_x(); }, key_limit());
    each(before_, one_, [&] { write(before_, read(top_)); });
    fold(top_, Combine::max);
    each(shift_, one_, [&] {
      const Expr top = read(top_);
      write(shift_, select(expr::equal(top, Expr(kMinusInfinity)), Expr(0.0), top));
    });
    each(factor_, one_, [&] {
      const Expr before = read(before_), shift = read(shift_);
      write(factor_, exp(before - shift), forms_of(chain_.exponential));
    });
    each(
        s_, key_,
        [&] {
          const Expr x = read(s_), shift = read(shift_);
          write(s_, exp(x - shift), forms_of(chain_.exponential));
        },
        key_limit());
    each(total_, one_, [&] {
      const Expr total = read(total_), factor = read(factor_);
      write(total_, total * factor);
    });
    fold(total_, Combine::sum);
    each(o_, width_, [&] {
      const Expr o = read(o_), factor = read(factor_);
      write(o_, o * factor);
    });
    load_factor(chain_.second, chain_.d, {v_, key_, width_, {}, {key_limit(), {}}});
    dot(o_, s_, v_);
  }

  // What the softmax is of, in place of the product.
  void emit_x() {
    const Expr s = read(s_);
    emitter_.set_result(member(chain_.first), s->index);
    std::vector<Expr> position;
    for (const Expr& index : chain_.position) {
      position.push_back(emitter_.simplified(substitute_axes(index, emitter_.group_axes())));
    }
    write(s_, emitter_.value_at(chain_.x, position, dtype_));
  }

  void emit_result() {
    each(o_, width_, [&] {
      const Expr o = read(o_), total = read(total_);
      Expr mean = o / total;
      if (chain_.visible >= 0) {
        mean = select(expr::equal(read(top_), Expr(kMinusInfinity)), Expr(0.0), mean);
      }
      const Member& second = member(chain_.second);
      emitter_.set_result(second, emitter_.let("mean", dtype_, dtype_, mean));
      const auto first_after =
          std::ranges::find(input_.group.members, chain_.second, &Member::node);
      for (auto it = first_after; it != input_.group.members.end(); ++it) {
        const ValueId result = input_.program.result(it->node);
        if (!input_.is_stored[static_cast<size_t>(result.index)]) continue;
        emitter_.store(*it, emitter_.member_value(*it));
      }
    });
  }

  const LoopInput& input_;
  const CpuVariant& variant_;
  const Chain& chain_;
  Emitter emitter_;
  DType dtype_;                     // of sums and tiles
  int64_t rows_ = 0, columns_ = 0;  // of tiles
  std::vector<int> around_;
  int row_part_ = -1, key_part_ = -1, row_ = -1, key_ = -1, depth_ = -1, width_ = -1, one_ = -1;
  int q_ = -1, k_ = -1, v_ = -1, s_ = -1, o_ = -1;
  int top_ = -1, before_ = -1, shift_ = -1, factor_ = -1, total_ = -1;
};

}  // namespace

EmittedKernel emit_cpu_chain(const LoopInput& input, const CpuVariant& variant) {
  return CpuChain(input, variant).run();
}

std::vector<CpuVariant> chain_variants(const LoopInput& input) {
  constexpr double kPad = 16;  // of rows and columns in memory
  const Chain& chain = *input.group.chain;
  const Shape extents = input.group.extents();
  const auto extent = [&](int axis) { return extents[static_cast<size_t>(axis)]; };
  const auto width = static_cast<double>(extent(chain.k).hint_or(1) + extent(chain.d).hint_or(1));
  auto room = static_cast<double>(loop::kMostTaskTileBytes);
  if (input.sheet != nullptr) {
    room = std::min(room, input.sheet->value("l2.bytes").value_or(2 * room) / 2);
  }
  std::vector<CpuVariant> variants;
  for (const int64_t side : kChainSides) {
    const double rows = kPad + static_cast<double>(piece_of(extent(chain.m), side, kChainRowUnit));
    const double keys = kPad + static_cast<double>(piece_of(extent(chain.n), side, kChainKeyUnit));
    // q and o lie along the queries, k and v along the keys; five numbers of each row.
    const double elements =
        rows * keys + (rows + keys) * (width + 2 * kPad) + 5 * rows * (1 + kPad);
    const bool fits = elements * chain.dtype.bits / 8 <= room;
    if (variants.empty() || fits) {
      variants.push_back({.chain_queries = side, .chain_keys = side});
    }
  }
  return variants;
}

}  // namespace ridge::schedule
