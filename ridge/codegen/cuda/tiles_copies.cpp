// Copies of boxes between views and shared tiles, and moves between registers and shared tiles.
#include "ridge/base/error.h"
#include "ridge/codegen/cuda/tiles_emission.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {
namespace {

using loop::Tile;
using loop::TileLayout;

// How the boxes of a view cover a tile.
struct Boxes {
  size_t line_dimension;    // of the view: one line of the tile for each of its numbers
  int64_t lines, elements;  // of a box
};

Boxes boxes_of(const loop::View& view) {
  const size_t last = view.box.size() - 1;
  size_t line = last == 0 ? 0 : last - 1;
  for (size_t i = 0; i < last; ++i) {
    if (view.box[i] > 1) line = i;
  }
  return {line, last == 0 ? 1 : view.box[line], view.box[last]};
}

// As the instruction takes them: the contiguous dimension first.
std::string coordinates(Emission& emission, const std::vector<Expr>& at, const Boxes& boxes,
                        int64_t line, int64_t element) {
  std::vector<std::string> texts;
  for (size_t i = at.size(); i-- > 0;) {
    const bool is_last = i + 1 == at.size();
    const int64_t step = is_last ? element : i == boxes.line_dimension ? line : 0;
    texts.push_back(int_text(emission, expr::simplify(at[i] + Expr(step))));
  }
  return join(texts, ", ");
}

// 16 x 16 elements of 16 bits are what one stmatrix or ldmatrix takes: four registers of a lane.
constexpr int64_t kMatrix = 16;

class MoveWriter {
 public:
  MoveWriter(Emission& emission, const loop::MoveTile& move)
      : emission_(emission),
        tiles_(*emission.tiles),
        move_(move),
        into_(tile_of(emission, move.into)),
        from_(tile_of(emission, move.from.tile)),
        row_(simplified(move.from.row)),
        column_(simplified(move.from.column)) {}

  void write() {
    if (into_.layout == TileLayout::operand && from_.layout == TileLayout::accumulator) {
      return pack();
    }
    if (into_.layout == TileLayout::accumulator && from_.layout == TileLayout::accumulator) {
      return copy_registers();
    }
    const bool is_store = loop::is_shared(into_.layout) && from_.layout == TileLayout::accumulator;
    const bool is_load =
        loop::is_shared(from_.layout) &&
        (into_.layout == TileLayout::accumulator || into_.layout == TileLayout::operand);
    RIDGE_INTERNAL_CHECK(is_store || is_load,
                         concat("a move from tile ", from_.name, " to ", into_.name));
    const Tile& shared = is_store ? into_ : from_;
    RIDGE_INTERNAL_CHECK(shared.dtype == bf16 || shared.dtype == f16,
                         concat("tile ", shared.name, " is moved, and not of 16 bits"));
    write_matrices(shared, is_store);
  }

 private:
  int64_t rows() const { return constant_extent(into_.rows); }
  int64_t columns() const { return constant_extent(into_.columns); }
  const std::string& array(int tile) const { return tiles_.tiles[static_cast<size_t>(tile)]; }
  std::string pair(const Tile& of, const std::string& low, const std::string& high) {
    const std::string_view type = of.dtype == bf16 ? "bf16" : "f16";
    emission_.use(concat(type, "_bits"));
    return concat("ridge::", type, "_pair(", low, ", ", high, ')');
  }
  // Of a part of an accumulator: the first register of its 64 rows number `block`.
  Expr first_register(const Tile& tile, const Expr& row, const Expr& column, int64_t block) const {
    const int64_t of_block = constant_extent(tile.columns) / 2;
    return expr::simplify((expr::floor_div(row, Expr(64)) + Expr(block)) * Expr(of_block) +
                          expr::floor_div(column, Expr(2)));
  }

  // Both are held alike, so nothing moves between threads.
  void copy_registers() {
    const std::string i = emission_.names.add("r");
    const int64_t of_block = columns() / 2;
    for (int64_t block = 0; block < rows() / 64; ++block) {
      const std::string start = first_term(emission_, first_register(from_, row_, column_, block));
      emission_.out.line("#pragma unroll");
      emission_.out.line("for (int ", i, " = 0; ", i, " < ", of_block, "; ++", i, ") {");
      emission_.out.line("  ", array(move_.into), '[',
                         block == 0 ? "" : concat(of_block * block, " + "), i,
                         "] = ", array(move_.from.tile), '[', start, i, "];");
      emission_.out.line("}");
    }
  }

  // Rounded in pairs, an accumulator is the left operand of the next product.
  void pack() {
    const std::string i = emission_.names.add("r");
    for (int64_t block = 0; block < rows() / 64; ++block) {
      const Expr first = first_register(from_, row_, column_, block);
      const std::string start = first_term(emission_, first);
      const std::string& sum = array(move_.from.tile);
      emission_.out.line("#pragma unroll");
      emission_.out.line("for (int ", i, " = 0; ", i, " < ", columns() / 4, "; ++", i, ") {");
      emission_.out.line("  ", array(move_.into), '[',
                         block == 0 ? "" : concat(block * columns() / 4, " + "), i, "] = ",
                         pair(into_, concat(sum, '[', start, "2 * ", i, ']'),
                              concat(sum, '[', start, "2 * ", i, " + 1]")),
                         ';');
      emission_.out.line("}");
    }
  }

  // Lines of a matrix are rows of the tile, or columns: then the instruction transposes.
  void write_matrices(const Tile& shared, bool is_store) {
    RIDGE_INTERNAL_CHECK(columns() % kMatrix == 0 && rows() % 64 == 0,
                         concat("a move of ", rows(), " x ", columns()));
    if (is_store) next_slot();
    const int tile = is_store ? move_.into : move_.from.tile;
    const bool is_transposed = shared.is_column_contiguous;
    const std::string address = emission_.names.add(concat(shared.name, "_at"));
    const std::string j = emission_.names.add("j");
    emission_.out.line("const unsigned ", address, " = ", slot_address(emission_, tile), ';');
    const std::string lane = concat(tiles_.thread, " % 32");
    const std::string warp_row = concat(tiles_.thread, " / 32 * 16");
    for (int64_t block = 0; block < rows() / 64; ++block) {
      const Expr row0 = is_store ? Expr(64 * block) : expr::simplify(row_ + Expr(64 * block));
      const Expr column0 = is_store ? Expr(0) : column_;
      emission_.out.line("#pragma unroll");
      const TileBlock matrices(emission_, concat("for (int ", j, " = 0; ", j, " < ", columns(),
                                                 "; ", j, " += ", kMatrix, ") "));
      const std::string row_text = sum_of(row0, warp_row), column_text = sum_of(column0, j);
      emission_.use("matrix_line");
      const std::string line =
          is_transposed ? concat(column_text, " + ridge::matrix_row_transposed(", lane, ")")
                        : concat(row_text, " + ridge::matrix_row(", lane, ")");
      const std::string byte =
          is_transposed
              ? concat("2 * ", factor(row_text), " + ridge::matrix_byte_transposed(", lane, ")")
              : concat("2 * ", factor(column_text), " + ridge::matrix_byte(", lane, ")");
      const std::string place =
          concat(address, " + ", offset_text(emission_, tile, line, byte, false));
      is_store ? store(place, j, block, is_transposed) : load(place, j, block, is_transposed);
    }
  }
  static std::string factor(const std::string& text) {
    return text.find(' ') == std::string::npos ? text : concat('(', text, ')');
  }
  std::string sum_of(const Expr& e, const std::string& text) {
    return concat(first_term(emission_, e), text);
  }

  void store(const std::string& place, const std::string& j, int64_t block, bool is_transposed) {
    emission_.use("store_matrices");
    const Expr first = first_register(from_, row_, column_, block);
    const std::string start = first_term(emission_, first);
    const std::string piece = emission_.names.add("piece");
    emission_.out.line("const float* const ", piece, " = &", array(move_.from.tile), '[', start, j,
                       " / 2];");
    const auto element = [&](int i) { return concat(piece, '[', i, ']'); };
    emission_.out.line("ridge::", is_transposed ? "store_transposed" : "store_matrices", '(', place,
                       ',');
    for (int i = 0; i < 8; i += 2) {
      emission_.out.line("    ", pair(into_, element(i), element(i + 1)), i == 6 ? ");" : ",");
    }
  }

  void load(const std::string& place, const std::string& j, int64_t block, bool is_transposed) {
    emission_.use("load_matrix_lines");
    const std::string_view function =
        is_transposed ? "ridge::load_transposed_lines(" : "ridge::load_matrix_lines(";
    const std::string& to = array(move_.into);
    if (into_.layout == TileLayout::operand) {
      emission_.out.line(function, '&', to, '[', block * columns() / 4, " + ", j, " / 4], ", place,
                         ");");
      return;
    }
    const std::string pairs = emission_.names.add("pairs");
    emission_.out.line("unsigned ", pairs, "[4];");
    emission_.out.line(function, pairs, ", ", place, ");");
    const std::string_view type = element_type(from_.dtype);
    use_element(emission_, from_.dtype);
    for (int i = 0; i < 8; ++i) {
      emission_.out.line(to, '[', block * columns() / 2, " + ", j, " / 2 + ", i, "] = ", type,
                         i % 2 == 0 ? "::low(" : "::high(", pairs, '[', i / 2, "]);");
    }
  }

  // Tiles of several slots are written in turn.
  void next_slot() {
    const std::string& slot = tiles_.tile_slots[static_cast<size_t>(move_.into)];
    if (slot.empty()) return;
    emission_.out.line(slot, " = (", slot, " + 1) % ", into_.slots, ';');
  }

  Emission& emission_;
  TileEmission& tiles_;
  const loop::MoveTile& move_;
  const Tile &into_, &from_;
  Expr row_, column_;
};

// All boxes of a tile, one behind the other.
void write_boxes(Emission& emission, const loop::CopyTile& copy) {
  const TileEmission& tiles = *emission.tiles;
  const Tile& tile = tile_of(emission, copy.tile);
  const TilePlacement& shared = shared_of(emission, copy.tile);
  const Boxes boxes = boxes_of(emission.kernel.views[static_cast<size_t>(copy.view)]);
  RIDGE_INTERNAL_CHECK(shared.lines % boxes.lines == 0,
                       concat("boxes of ", boxes.lines, " lines for tile ", tile.name));
  RIDGE_INTERNAL_CHECK(copy.is_store || tile.ring >= 0, "copies to tiles are to slots of rings");
  const std::string address = slot_address(emission, copy.tile);
  const std::string& map = tiles.views[static_cast<size_t>(copy.view)];
  const auto element_bytes = static_cast<int64_t>(bytes_for(tile.dtype, 1));
  for (int64_t line = 0; line < shared.lines; line += boxes.lines) {
    for (int64_t first = 0; first < shared.elements; first += boxes.elements) {
      const int64_t byte = first * element_bytes;
      const int64_t offset =
          (byte / shared.span * shared.lines + line) * shared.span + byte % shared.span;
      const std::string place = offset == 0 ? address : concat(address, " + ", offset);
      const std::string at = coordinates(emission, copy.at, boxes, line, first);
      if (copy.is_store) {
        emission.out.line("ridge::store_box(&", map, ", ", place, ", ", at, ");");
      } else {
        const auto ring = static_cast<size_t>(tile.ring);
        emission.out.line("ridge::load_box(", place, ", &", map, ", &", tiles.full[ring], '[',
                          tiles.ring_slots[ring], "], ", at, ");");
      }
    }
  }
}

}  // namespace

void write_tile_statement(Emission& emission, const loop::MoveTile& move) {
  const TileBlock block(emission, "");
  MoveWriter(emission, move).write();
}

void write_tile_statement(Emission& emission, const loop::CopyTile& copy) {
  const bool is_alone = copy.is_store || emission.tiles->expected_copies == 0;
  emission.use(copy.is_store ? "store_box" : "load_box");
  if (!is_alone) return write_boxes(emission, copy);
  const TileBlock block(emission, elected_text(emission) + " ");
  write_boxes(emission, copy);
  if (copy.is_store) emission.out.line("ridge::commit_stores();");
}

void write_tile_statement(Emission& emission, const loop::WaitStores& wait) {
  emission.use("store_box");
  emission.out.line(elected_text(emission), " ridge::wait_stores", wait.is_read_only ? "_read" : "",
                    '<', wait.pending, ">();");
}

}  // namespace ridge::codegen::cuda
