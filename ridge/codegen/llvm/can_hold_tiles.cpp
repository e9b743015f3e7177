// Which kernels over tiles this generator knows.
#include "ridge/base/text.h"
#include "ridge/codegen/llvm/tiles.h"
#include "ridge/loop/mapping_rules.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen {

bool is_right_operand(const loop::Kernel& kernel, int tile) {
  bool result = false;
  loop::for_each_statement(kernel.body, [&](const loop::Statement& statement) {
    const auto* dot = loop::as<loop::Dot>(statement);
    result |= dot != nullptr && dot->rhs.tile == tile;
  });
  return result;
}

namespace {

// How tiles are used, against what is done here.
class TileUse {
 public:
  explicit TileUse(const loop::Kernel& kernel) : kernel_(kernel) {}

  std::string problem() {
    if (kernel_.threads > 0) return "its tiles are mapped to a GPU";
    int64_t bytes = 0;
    for (const loop::Tile& tile : kernel_.tiles) {
      if (!expr::is_constant(tile.rows) || !expr::is_constant(tile.columns))
        return concat("extents of tile ", tile.name, " are no constants");
      if (!(tile.dtype == f32) && !(tile.dtype == f64))
        return concat("tile ", tile.name, " is of ", name(tile.dtype));
      bytes += (tile.rows->integer + kTileRowUnit) * (tile.columns->integer + kTileRowUnit) *
               (tile.dtype.bits / 8);
    }
    if (bytes > loop::kMostTaskTileBytes) return concat("tiles of ", bytes, " bytes for a task");
    loop::for_each_statement(kernel_.body, [&](const loop::Statement& statement) {
      std::visit([&](const auto& kind) { look_at(kind); }, statement.kind);
    });
    for (size_t i = 0; i < kernel_.tiles.size(); ++i) {
      const bool is_rhs = is_right_operand(kernel_, static_cast<int>(i));
      if (is_rhs && is_used_otherwise_[i]) problem_ = "a right operand that is not only loaded";
    }
    return problem_;
  }

 private:
  void use(int tile) { is_used_otherwise_[static_cast<size_t>(tile)] = true; }
  void look_at(const loop::FillTile& fill) { use(fill.tile); }
  void look_at(const loop::LoadTile&) {}
  void look_at(const loop::ReadElement& read) { use(read.tile); }
  void look_at(const loop::WriteElement& write) { use(write.tile); }
  void look_at(const loop::EachElement&) {}
  void look_at(const loop::FoldTile& fold) {
    use(fold.tile);
    use(fold.into);
    if (fold.along != loop::Along::columns) problem_ = "a fold along rows";
    if (is_column(fold.tile)) problem_ = "a fold of one column";
  }
  void look_at(const loop::Dot& dot) {
    use(dot.into);
    use(dot.lhs.tile);
    const auto is_part = [](const loop::TilePart& part) {
      return part.row.get() != nullptr || part.column.get() != nullptr;
    };
    if (is_part(dot.lhs) || is_part(dot.rhs)) problem_ = "a dot of a part of a tile";
    if (dot.is_lhs_transposed || dot.is_rhs_transposed) problem_ = "a transposed operand";
    if (is_column(dot.into) || is_column(dot.lhs.tile)) problem_ = "a dot with one column";
    const auto dtype = [&](int tile) { return kernel_.tiles[static_cast<size_t>(tile)].dtype; };
    if (!(dtype(dot.into) == dtype(dot.lhs.tile)) || !(dtype(dot.into) == dtype(dot.rhs.tile)))
      problem_ = "operands of another type than the sum";
  }
  template <class Kind>
  void look_at(const Kind&) {
    if constexpr (loop::TileStatement<Kind>) problem_ = "a statement over tiles of a GPU";
  }
  bool is_column(int tile) const {
    return expr::is_constant(kernel_.tiles[static_cast<size_t>(tile)].columns, 1);
  }

  const loop::Kernel& kernel_;
  std::string problem_;
  std::vector<bool> is_used_otherwise_ = std::vector<bool>(kernel_.tiles.size());
};

}  // namespace

Decision can_hold_tiles(const loop::Kernel& kernel) {
  std::string problem = TileUse(kernel).problem();
  if (!problem.empty()) return Decision::no(std::move(problem));
  return Decision::yes("tiles of a task, on its stack");
}

}  // namespace ridge::codegen
