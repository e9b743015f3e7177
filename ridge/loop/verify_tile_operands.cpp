// Extents, dtypes and layouts of the tiles that meet in a statement, and the boxes of copies.
#include <algorithm>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/loop/verify_parts.h"
#include "ridge/loop/verify_tiles.h"

namespace ridge::loop {
namespace {

constexpr int kDotStep = 16;  // elements of k that one instruction takes

// Extents of an operand, transposed if the dot says so, and how much of them an offset leaves.
struct Operand {
  const Tile* tile;
  Expr rows, columns;    // of the tile
  Expr row{}, column{};  // where the part begins; null: the tile is taken as it is
};

class OperandVerifier {
 public:
  explicit OperandVerifier(const Kernel& kernel)
      : kernel_(kernel), is_unrolled_(static_cast<size_t>(kernel.axis_count)) {}

  void run() { body(kernel_.body); }

 private:
  [[noreturn]] void fail(std::string expected) const {
    refuse(kernel_, *current_, std::move(expected));
  }
  void check(bool condition, const char* expected) const {
    if (!condition) fail(expected);
  }
  const Tile& tile(int number) const { return kernel_.tiles[static_cast<size_t>(number)]; }
  bool is_mapped() const { return kernel_.threads > 0; }

  void body(const Body& statements) {
    for (const Statement& statement : statements) {
      const Statement* const outer = std::exchange(current_, &statement);
      std::visit([&](const auto& kind) { verify_kind(kind); }, statement.kind);
      if (const Body* const inner = body_of(statement)) body(*inner);
      current_ = outer;
    }
  }

  template <class Kind>
  void verify_kind(const Kind&) const {}
  void verify_kind(const Loop& loop) {
    is_unrolled_[static_cast<size_t>(loop.axis)] = is_constant(loop.extent);
  }
  void verify_kind(const TileLoop& loop) {
    for (const int axis : loop.axes) is_unrolled_[static_cast<size_t>(axis)] = false;
  }
  void verify_kind(const Role& role) {
    role_ = &role;
    if (role.index) is_unrolled_[static_cast<size_t>(*role.index)] = false;
  }

  void verify_kind(const Dot& dot) const {
    const Tile& into = tile(dot.into);
    const Operand lhs = operand(dot.lhs, dot.is_lhs_transposed);
    const Operand rhs = operand(dot.rhs, dot.is_rhs_transposed);
    if (!covers(lhs.rows, lhs.row, into.rows)) fail("an lhs of the rows of the sum");
    if (!covers(rhs.columns, rhs.column, into.columns)) fail("an rhs of the columns of the sum");
    const std::optional<Expr> lhs_k = left(lhs.columns, lhs.column),
                              rhs_k = left(rhs.rows, rhs.row);
    check(lhs_k || rhs_k, "an operand whose summed extent is known");
    check(!lhs_k || !rhs_k || same(*lhs_k, *rhs_k), "as many columns of lhs as rows of rhs");
    check(lhs.tile->dtype == rhs.tile->dtype, "operands of one dtype");
    check(scalar_type(lhs.tile->dtype) == scalar_type(into.dtype) &&
              scalar_type(into.dtype) != expr::Type::boolean,
          "sums of reals over reals, of integers over integers");
    if (is_mapped()) mapped_dot(dot, lhs, rhs, lhs_k ? *lhs_k : *rhs_k);
  }
  void mapped_dot(const Dot& dot, const Operand& lhs, const Operand& rhs, const Expr& k) const {
    check(tile(dot.into).layout == TileLayout::accumulator, "a dot into an accumulator");
    const bool is_lhs_held = lhs.tile->layout == TileLayout::operand;
    check(is_lhs_held || is_shared(lhs.tile->layout), "an lhs in shared memory, or an operand");
    check(is_shared(rhs.tile->layout), "an rhs in shared memory");
    check(!is_lhs_held || !dot.is_lhs_transposed, "an lhs in registers as it is");
    check(!is_lhs_held || is_known(dot.lhs.row),
          "registers at constants and axes of constant loops");
    check(!is_lhs_held || is_known(dot.lhs.column),
          "registers at constants and axes of constant loops");
    if (!dot.is_async) return;
    check(role_->warps == kWarpgroupWarps, "an asynchronous dot of warpgroups");
    check(is_16_bit_float(lhs.tile->dtype), "operands of f16 or bf16");
    check(k->integer % kDotStep == 0, "whole steps of 16 along k");
    const bool has_swizzle = rhs.tile->layout != TileLayout::linear &&
                             (is_lhs_held || lhs.tile->layout != TileLayout::linear);
    check(has_swizzle, "operands of an asynchronous dot with a swizzle");
    check(is_multiple(lhs.column, kDotStep) && is_multiple(rhs.row, kDotStep),
          "parts that begin at a multiple of 16 along k");
    check(is_multiple(lhs.row, 64), "an lhs that begins at a multiple of 64 rows");
    // A descriptor points to the first line of eight, or to a piece as wide as the swizzle.
    check(is_multiple(rhs.column, is_contiguous(rhs, dot.is_rhs_transposed) ? span_of(rhs) : 8),
          "an rhs that begins where its swizzle does");
  }
  // Whether the columns of the operand, as the dot sees it, are contiguous in memory.
  static bool is_contiguous(const Operand& operand, bool is_transposed) {
    return operand.tile->is_column_contiguous == is_transposed;
  }
  static int span_of(const Operand& operand) {
    return swizzle_bytes(operand.tile->layout) / element_bytes(operand.tile->dtype);
  }

  void verify_kind(const EachElement& each) {
    const Tile& extents = tile(each.tile);
    for_each_statement(each.body, [&](const Statement& statement) {
      const Statement* const outer = std::exchange(current_, &statement);
      if (const auto* const read = as<ReadElement>(statement)) {
        check(is_broadcast(tile(read->tile), extents), "a tile of the extents of `each`, or of 1");
        check_held(tile(read->tile), extents);
      } else if (const auto* const write = as<WriteElement>(statement)) {
        const Tile& into = tile(write->tile);
        check(is_equal(into.rows, extents.rows) && is_equal(into.columns, extents.columns),
              "a tile of the extents of `each`, so that each element is written once");
        check_held(into, extents);
        check(scalar_type(into.dtype) ==
                  scalar_type(kernel_.values[static_cast<size_t>(write->value)].dtype),
              "a value of the type of the tile's elements");
      }
      current_ = outer;
    });
  }
  // Elements are visited by who holds them.
  void check_held(const Tile& touched, const Tile& extents) const {
    if (!is_mapped() || is_shared(touched.layout)) return;
    const auto is_matrix = [](TileLayout layout) {
      return layout == TileLayout::accumulator || layout == TileLayout::operand;
    };
    const bool is_statistic =
        touched.layout == TileLayout::row_values || touched.layout == TileLayout::column_values;
    check(touched.layout == extents.layout ||
              (is_matrix(touched.layout) && is_matrix(extents.layout)) ||
              (is_statistic && is_matrix(extents.layout)),
          "tiles in registers that are held as that of `each` is");
  }

  void verify_kind(const FoldTile& fold) const {
    const Tile& from = tile(fold.tile);
    const Tile& into = tile(fold.into);
    const bool is_along_columns = fold.along == Along::columns;
    check(is_along_columns ? is_constant(into.columns, 1) && is_equal(into.rows, from.rows)
                           : is_constant(into.rows, 1) && is_equal(into.columns, from.columns),
          is_along_columns ? "one column of as many rows" : "one row of as many columns");
    check(scalar_type(into.dtype) == scalar_type(from.dtype), "a fold of one type");
    const bool is_logic = fold.combine == Combine::any || fold.combine == Combine::all;
    check(is_logic == (scalar_type(into.dtype) == expr::Type::boolean),
          "any and all of bool, the others of numbers");
    if (!is_mapped()) return;
    check(from.layout == TileLayout::accumulator, "a fold of an accumulator");
    check(into.layout == (is_along_columns ? TileLayout::row_values : TileLayout::column_values),
          is_along_columns ? "a fold along columns into row_values"
                           : "a fold along rows into column_values");
  }

  void verify_kind(const MoveTile& move) const {
    const Tile& into = tile(move.into);
    const Operand from = operand(move.from, false);
    check(covers(from.rows, from.row, into.rows) && covers(from.columns, from.column, into.columns),
          "a part of the extents of the tile that it moves into");
    check(scalar_type(into.dtype) == scalar_type(from.tile->dtype),
          "a move between tiles of one type");
    const TileLayout a = into.layout, b = from.tile->layout;
    const auto is_matrix = [](TileLayout layout) {
      return layout == TileLayout::accumulator || layout == TileLayout::operand;
    };
    check(is_in_registers(a) || is_in_registers(b), "a move from or to registers");
    check(is_shared(a) || is_shared(b) || a == b || (is_matrix(a) && is_matrix(b)),
          "a move between registers that are held alike");
    if (is_shared(b)) return;
    check(is_known(from.row) && is_known(from.column),
          "registers at constants and axes of constant loops");
    check(is_multiple(from.row, block_rows(role_->warps)) && is_multiple(from.column, 8),
          "parts of registers at whole blocks of rows and multiples of 8 columns");
  }

  void verify_kind(const CopyTile& copy) const {
    check(copy.view >= 0 && std::cmp_less(copy.view, kernel_.views.size()), "the number of a view");
    const View& view = kernel_.views[static_cast<size_t>(copy.view)];
    const Buffer& buffer = kernel_.buffers[static_cast<size_t>(view.buffer)];
    const Tile& t = tile(copy.tile);
    check(is_shared(t.layout), "copies of tiles in shared memory");
    check(buffer.space == Space::global &&
              buffer.access != (copy.is_store ? Access::in : Access::out),
          copy.is_store ? "copies to out and in_out buffers only"
                        : "copies of in and in_out buffers only");
    check(buffer.dtype == t.dtype, "a tile of the dtype of the view");
    check(copy.at.size() == view.extents.size(), "an index for each dimension of the view");
    const int bytes = element_bytes(t.dtype);
    check(known_divisor(copy.at.back()) * bytes % 16 == 0,
          "a last index at a multiple of 16 bytes");
    check(view.swizzle == swizzle_bytes(t.layout), "a tile with the swizzle of the view");
    check_box(view, t, bytes);
  }
  // Lines of a box are lines of the tile: as wide as its swizzle, or whole.
  void check_box(const View& view, const Tile& t, int bytes) const {
    const int64_t line = view.box.back();
    int64_t lines = 1;
    for (size_t i = 0; i + 1 < view.box.size(); ++i) lines *= view.box[i];
    const int64_t tile_line = (t.is_column_contiguous ? t.rows : t.columns)->integer;
    const int64_t tile_lines = (t.is_column_contiguous ? t.columns : t.rows)->integer;
    if (view.swizzle > 0) {
      check(line * bytes == view.swizzle, "lines of the box as wide as the swizzle");
      check(lines % 8 == 0, "boxes of a multiple of 8 lines, which a swizzle permutes");
    } else {
      check(line == tile_line, "lines of the box as wide as the tile");
    }
    check(tile_lines % lines == 0, "a tile of whole boxes");
  }

  Operand operand(const TilePart& part, bool is_transposed) const {
    const Tile& t = tile(part.tile);
    Operand operand{&t, t.rows, t.columns, part.row, part.column};
    if (is_transposed) {
      std::swap(operand.rows, operand.columns);
      std::swap(operand.row, operand.column);
    }
    return operand;
  }
  static bool is_equal(const Expr& a, const Expr& b) { return same(simplify(a), simplify(b)); }
  static bool is_broadcast(const Tile& t, const Tile& extents) {
    return (is_equal(t.rows, extents.rows) || is_constant(t.rows, 1)) &&
           (is_equal(t.columns, extents.columns) || is_constant(t.columns, 1));
  }
  // Of an extent, what lies behind a constant offset; nothing behind another.
  static std::optional<Expr> left(const Expr& extent, const Expr& offset) {
    if (offset.get() == nullptr) return simplify(extent);
    if (!is_constant(offset)) return std::nullopt;
    return simplify(extent - offset);
  }
  // Whether a part has `taken` elements as far as one can tell; a whole tile exactly so many.
  static bool covers(const Expr& extent, const Expr& offset, const Expr& taken) {
    if (offset.get() == nullptr) return is_equal(extent, taken);
    const Expr rest = simplify(is_constant(offset) ? extent - offset : extent);
    const Expr wanted = simplify(taken);
    return !is_constant(rest) || !is_constant(wanted) || rest->integer >= wanted->integer;
  }
  static bool is_multiple(const Expr& offset, int of) {
    return offset.get() == nullptr || known_divisor(offset) % of == 0;
  }
  // Which register it is must be known when code is printed.
  bool is_known(const Expr& offset) const {
    if (offset.get() == nullptr) return true;
    bool known = true;
    walk(offset, [&](const Expr& node) {
      known &= node->kind == expr::Kind::constant || node->kind == expr::Kind::call ||
               (node->kind == expr::Kind::axis && is_unrolled_[static_cast<size_t>(node->index)]);
    });
    return known;
  }

  const Kernel& kernel_;
  const Statement* current_ = nullptr;
  const Role* role_ = nullptr;
  std::vector<bool> is_unrolled_;  // axes of loops around of constant extent
};

}  // namespace

void verify_tile_operands(const Kernel& kernel) { OperandVerifier(kernel).run(); }

}  // namespace ridge::loop
