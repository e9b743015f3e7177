// Products of tiles: batches of wgmma, with the instruction written out for each shape that a kernel uses.
//
//   dot async sum += lhs[64 * i5, 0] * rhs
//
//   const unsigned lhs_place = ridge::uniform(ridge::descriptor_place(lhs + ..., 16));
//   const unsigned rhs_place = ridge::uniform(ridge::descriptor_place(rhs + ..., 16));
//   ridge::pin<128>(sum);
//   ridge::wgmma_fence();
//   for (int k = 0; k < 64; k += 16) {
//     ridge::wgmma_m64n256k16_bf16<0, 0>(&sum[0], descriptor of lhs, descriptor of rhs, sum_is_set | (k > 0));
//   }
//   ridge::wgmma_commit();
//   ridge::pin<128>(sum);
#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/tiles_emission.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {
namespace {

using loop::Tile;
using loop::TileLayout;

constexpr int64_t kDepth = 16;  // of k, of one instruction
constexpr int64_t kRows = 64;

std::string numbered(int64_t first, int64_t count) {
  std::vector<std::string> items;
  for (int64_t i = 0; i < count; ++i) items.push_back(concat('%', first + i));
  return join(items, ", ");
}

// Lines of at most ten operands.
std::string operands(std::string_view constraint, std::string_view array, int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i) {
    text += concat('"', constraint, "\"(", array, '[', i, "])");
    if (i + 1 < count) text += (i + 1) % 10 == 0 ? ",\n        " : ", ";
  }
  return text;
}

// One instruction as a function: D of 64 x n in registers, A in shared memory or in registers, B in shared memory.
std::string product_function(std::string_view name, int64_t n, std::string_view type,
                             bool is_lhs_in_registers) {
  const int64_t sums = n / 2, lhs = is_lhs_in_registers ? 4 : 1;
  const int64_t rhs_at = sums + lhs, adds_at = rhs_at + 1, flags_at = adds_at + 1;
  const std::string lhs_text =
      is_lhs_in_registers ? concat('{', numbered(sums, 4), '}') : concat('%', sums);
  const std::string flags =
      is_lhs_in_registers ? concat('%', flags_at) : concat('%', flags_at, ", %", flags_at + 1);
  const std::string_view parameters = is_lhs_in_registers
                                          ? "template <int kIsRhsTransposed>"
                                          : "template <int kIsLhsTransposed, int kIsRhsTransposed>";
  return concat(parameters, "\n__device__ inline void ", name, "(float* d, ",
                is_lhs_in_registers ? "const unsigned* a" : "unsigned long long a",
                ", unsigned long long b, int adds) {\n",
                "  asm volatile(\n      \"{\\n\\t.reg .pred adds;\\n\\tsetp.ne.b32 adds, %",
                adds_at, ", 0;\\n\\t\"\n      \"wgmma.mma_async.sync.aligned.m64n", n, "k16.f32.",
                type, '.', type, "\\n\\t\"\n      \"{", numbered(0, sums), "},\\n\\t\"\n      \"",
                lhs_text, ", %", rhs_at, ", adds, 1, 1, ", flags,
                ";\\n\\t}\"\n      : ", operands("+f", "d", sums),
                "\n      : ", is_lhs_in_registers ? operands("r", "a", 4) : "\"l\"(a)",
                ", \"l\"(b), \"r\"(adds), ", is_lhs_in_registers ? "" : "\"n\"(kIsLhsTransposed), ",
                "\"n\"(kIsRhsTransposed)\n", "      : \"memory\");\n}\n");
}

// An operand in shared memory: where it begins, in which order it lies, how far steps and blocks are.
class SharedOperand {
 public:
  // `along_k`: of the part, the coordinate that is summed over.
  SharedOperand(Emission& emission, int tile, const Expr& along_k, const Expr& outside)
      : emission_(emission), tile_(tile), along_k_(along_k), outside_(outside) {}

  // Lines are rows of m or n, and k is contiguous; or the other way round.
  bool is_k_contiguous = true;

  std::string place() const {
    const Tile& info = tile_of(emission_, tile_);
    const TilePlacement& shared = shared_of(emission_, tile_);
    RIDGE_INTERNAL_CHECK(shared.is_swizzled,
                         concat("tile ", info.name, " is an operand, and not swizzled"));
    const int64_t leading = is_k_contiguous ? 16 : shared.lines * shared.span;
    const std::string address = concat(slot_address(emission_, tile_), at(along_k_, outside_));
    emission_.use("descriptor");
    emission_.use("uniform");
    return concat("ridge::uniform(ridge::descriptor_place(", address, ", ", leading, "))");
  }
  // Of k and of rows or columns from the place, in units of 16 bytes.
  std::string descriptor(const std::string& place, const std::string& k, int64_t outside) const {
    const std::string bytes =
        is_k_contiguous ? offset_text(emission_, tile_, concat(outside), concat("2 * ", k), true)
                        : offset_text(emission_, tile_, k, concat(2 * outside), true);
    return concat("ridge::descriptor(", place, " + (", bytes, " >> 4), ridge::descriptor_form<",
                  shared_of(emission_, tile_).span, ">())");
  }

 private:
  std::string at(const Expr& k, const Expr& outside) const {
    if (expr::is_constant(k, 0) && expr::is_constant(outside, 0)) return "";
    const Expr line = is_k_contiguous ? outside : k, along = is_k_contiguous ? k : outside;
    return concat(" + ", offset_text(emission_, tile_, int_text(emission_, line),
                                     int_text(emission_, expr::simplify(Expr(2) * along)), true));
  }

  Emission& emission_;
  int tile_;
  Expr along_k_, outside_;
};

class DotWriter {
 public:
  DotWriter(Emission& emission, const loop::Dot& dot)
      : emission_(emission),
        tiles_(*emission.tiles),
        dot_(dot),
        sum_(tile_of(emission, dot.into)),
        lhs_(tile_of(emission, dot.lhs.tile)),
        rhs_(tile_of(emission, dot.rhs.tile)) {}

  void write() {
    const int64_t n = constant_extent(sum_.columns), blocks = constant_extent(sum_.rows) / kRows;
    const bool is_lhs_in_registers = lhs_.layout == TileLayout::operand;
    RIDGE_INTERNAL_CHECK(n <= 256 && depth() % kDepth == 0,
                         concat("a product of ", n, " columns over ", depth(), " of k"));
    const std::string function = product(n, is_lhs_in_registers);
    const std::string& sum = tiles_.tiles[static_cast<size_t>(dot_.into)];
    const std::string registers = concat("ridge::pin<", tile_registers(sum_), ">(", sum, ");");

    const Expr lhs_row = simplified(dot_.lhs.row), lhs_column = simplified(dot_.lhs.column);
    const bool is_lhs_k_row = dot_.is_lhs_transposed;
    SharedOperand lhs(emission_, dot_.lhs.tile, is_lhs_k_row ? lhs_row : lhs_column,
                      is_lhs_k_row ? lhs_column : lhs_row);
    lhs.is_k_contiguous = lhs_.is_column_contiguous == is_lhs_k_row;
    const Expr rhs_row = simplified(dot_.rhs.row), rhs_column = simplified(dot_.rhs.column);
    const bool is_rhs_k_row = !dot_.is_rhs_transposed;
    SharedOperand rhs(emission_, dot_.rhs.tile, is_rhs_k_row ? rhs_row : rhs_column,
                      is_rhs_k_row ? rhs_column : rhs_row);
    rhs.is_k_contiguous = rhs_.is_column_contiguous == is_rhs_k_row;

    const std::string rhs_place = emission_.names.add(concat(rhs_.name, "_place"));
    std::string lhs_place;
    if (!is_lhs_in_registers) {
      lhs_place = emission_.names.add(concat(lhs_.name, "_place"));
      emission_.out.line("const unsigned ", lhs_place, " = ", lhs.place(), ";");
    }
    emission_.out.line("const unsigned ", rhs_place, " = ", rhs.place(), ";");
    emission_.use("wgmma_order");
    emission_.out.line(registers);
    if (is_lhs_in_registers) emission_.out.line(pin_text(dot_.lhs.tile));
    emission_.out.line("ridge::wgmma_fence();");
    const std::string k = emission_.names.add("k");
    emission_.out.line("#pragma unroll");
    {
      const TileBlock steps(emission_, concat("for (int ", k, " = 0; ", k, " < ", depth(), "; ", k,
                                              " += ", kDepth, ") "));
      for (int64_t block = 0; block < blocks; ++block) {
        const std::string flags =
            is_lhs_in_registers
                ? concat('<', rhs.is_k_contiguous ? 0 : 1, '>')
                : concat('<', lhs.is_k_contiguous ? 0 : 1, ", ", rhs.is_k_contiguous ? 0 : 1, '>');
        const std::string left = is_lhs_in_registers
                                     ? operand_registers(lhs_row, lhs_column, k, block)
                                     : lhs.descriptor(lhs_place, k, kRows * block);
        emission_.out.line("ridge::", function, flags, "(");
        emission_.out.line("    &", sum, '[', block * n / 2, "], ", left, ",");
        emission_.out.line("    ", rhs.descriptor(rhs_place, k, 0), ", ", adds(k), ");");
      }
    }
    emission_.out.line("ridge::wgmma_commit();");
    emission_.out.line(registers);
    if (is_lhs_in_registers) emission_.out.line(pin_text(dot_.lhs.tile));
    if (!is_set().empty()) emission_.out.line(is_set(), " = 1;");
    if (dot_.is_async) return;
    write_tile_statement(emission_, loop::WaitDot{.pending = 0, .tiles = {dot_.into}});
  }

 private:
  const std::string& is_set() const { return tiles_.is_set[static_cast<size_t>(dot_.into)]; }
  std::string adds(const std::string& k) const {
    return is_set().empty() ? "1" : concat(is_set(), " | (", k, " > 0)");
  }
  // What both operands have of k.
  int64_t depth() const {
    const auto left_of = [](const Expr& extent, const Expr& from) {
      const Expr at = simplified(from);
      return constant_extent(extent) - (expr::is_constant(at) ? at->integer : 0);
    };
    const int64_t lhs = dot_.is_lhs_transposed ? left_of(lhs_.rows, dot_.lhs.row)
                                               : left_of(lhs_.columns, dot_.lhs.column);
    const int64_t rhs = dot_.is_rhs_transposed ? left_of(rhs_.columns, dot_.rhs.column)
                                               : left_of(rhs_.rows, dot_.rhs.row);
    return std::min(lhs, rhs);
  }
  std::string pin_text(int tile) const {
    return concat("ridge::pin<", tile_registers(tile_of(emission_, tile)), ">(",
                  tiles_.tiles[static_cast<size_t>(tile)], ");");
  }
  // Four registers for 16 of k, 64 rows one behind the other.
  std::string operand_registers(const Expr& row, const Expr& column, const std::string& k,
                                int64_t block) {
    const int64_t of_block = constant_extent(lhs_.columns) / 4;
    const Expr first = expr::simplify(expr::floor_div(row, Expr(kRows)) * Expr(of_block) +
                                      expr::floor_div(column, Expr(4)) + Expr(block * of_block));
    const std::string start = first_term(emission_, first);
    return concat('&', tiles_.tiles[static_cast<size_t>(dot_.lhs.tile)], '[', start, k, " / 4]");
  }

  std::string product(int64_t n, bool is_lhs_in_registers) {
    const std::string_view type = rhs_.dtype == bf16 ? "bf16" : "f16";
    RIDGE_INTERNAL_CHECK(lhs_.dtype == rhs_.dtype && (rhs_.dtype == bf16 || rhs_.dtype == f16),
                         "products are of two bf16 or two f16");
    const std::string name =
        concat("wgmma_m64n", n, "k16_", type, is_lhs_in_registers ? "_registers" : "");
    tiles_.products.try_emplace(name, product_function(name, n, type, is_lhs_in_registers));
    return name;
  }

  Emission& emission_;
  TileEmission& tiles_;
  const loop::Dot& dot_;
  const Tile &sum_, &lhs_, &rhs_;
};

}  // namespace

void write_tile_statement(Emission& emission, const loop::Dot& dot) {
  const TileBlock block(emission, "");
  DotWriter(emission, dot).write();
}

void write_tile_statement(Emission& emission, const loop::WaitDot& wait) {
  TileEmission& tiles = *emission.tiles;
  emission.use("wgmma_order");
  emission.out.line("ridge::wgmma_wait<", wait.pending, ">();");
  for (const int tile : wait.tiles) {
    if (!loop::is_in_registers(tile_of(emission, tile).layout)) continue;
    emission.out.line("ridge::pin<", tile_registers(tile_of(emission, tile)), ">(",
                      tiles.tiles[static_cast<size_t>(tile)], ");");
  }
  if (wait.pending > 0 || tiles.consume_depth > 0) return;
  for (size_t ring = 0; ring < tiles.rings.size(); ++ring)
    give_back_held(emission, static_cast<int>(ring));
}

// The next product overwrites what is there; where somebody else looks first, it is zeroed.
void write_tile_statement(Emission& emission, const loop::FillTile& fill) {
  const auto tile = static_cast<size_t>(fill.tile);
  const std::string& is_set = emission.tiles->is_set[tile];
  if (!is_clear_unless_set(fill)) return emission.out.line(is_set, " = 0;");
  const std::string i = emission.names.add("r");
  emission.out.line("if (!", is_set, ") {");
  {
    const auto indent = emission.out.indent();
    emission.out.line("#pragma unroll");
    emission.out.line("for (int ", i, " = 0; ", i, " < ",
                      tile_registers(tile_of(emission, fill.tile)), "; ++", i, ") ",
                      emission.tiles->tiles[tile], '[', i, "] = 0.0f;");
    emission.out.line(is_set, " = 1;");
  }
  emission.out.line("}");
}

}  // namespace ridge::codegen::cuda
