#include "ridge/loop/verify_tiles.h"

#include <algorithm>

#include "ridge/loop/statement_walk.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::loop {

// Alignments are powers of two; of a larger one nobody asks.
constexpr int64_t kMostDivisor = int64_t{1} << 20;

void verify_tiles(const Kernel& kernel) {
  if (!kernel.has_tiles()) return;
  verify_tile_declarations(kernel);
  verify_tile_places(kernel);
  verify_tile_operands(kernel);
  verify_tile_flow(kernel);
}

int64_t known_divisor(const Expr& e) {
  using expr::Function;
  if (is_constant(e)) {
    const auto bits = static_cast<uint64_t>(e->integer);
    return bits % kMostDivisor == 0 ? kMostDivisor : static_cast<int64_t>(bits & (~bits + 1));
  }
  if (is_call(e, Function::mul)) {
    return std::min(known_divisor(e->args[0]) * known_divisor(e->args[1]), kMostDivisor);
  }
  for (const Function either : {Function::add, Function::sub, Function::min, Function::max}) {
    if (!is_call(e, either)) continue;
    return std::min(known_divisor(e->args[0]), known_divisor(e->args[1]));
  }
  return 1;
}

namespace {

struct Toucher {
  TouchedTiles touched{};

  void operator()(const FillTile& fill) { write(fill.tile); }
  void operator()(const LoadTile& load) { write(load.tile); }
  void operator()(const StoreTile& store) { read(store.tile); }
  void operator()(const Dot& dot) {
    for (const int tile : {dot.lhs.tile, dot.rhs.tile, dot.into}) read(tile);
    write(dot.into);
  }
  void operator()(const ReadElement& element) { read(element.tile); }
  void operator()(const WriteElement& element) { write(element.tile); }
  void operator()(const FoldTile& fold) {
    read(fold.tile);
    read(fold.into);
    write(fold.into);
  }
  void operator()(const CopyTile& copy) { copy.is_store ? read(copy.tile) : write(copy.tile); }
  void operator()(const MoveTile& move) {
    read(move.from.tile);
    write(move.into);
  }
  // The others name tiles for their extents or to wait for them, or none.
  template <class Kind>
  void operator()(const Kind&) {}

 private:
  void read(int tile) { touched.read.push_back(tile); }
  void write(int tile) { touched.written.push_back(tile); }
};

}  // namespace

TouchedTiles touched_by(const Statement& statement) {
  Toucher toucher;
  std::visit(toucher, statement.kind);
  return toucher.touched;
}

}  // namespace ridge::loop
