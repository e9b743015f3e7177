#include "ridge/loop/tile_text.h"

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/statement_text.h"

namespace ridge::loop {
namespace {

template <class Item>
std::string name_of(const std::vector<Item>& items, int index, std::string_view kind) {
  if (index < 0 || std::cmp_greater_equal(index, items.size())) return concat(kind, index);
  return quoted_tile_name(items[static_cast<size_t>(index)].name);
}

class TileWriter {
 public:
  explicit TileWriter(const Kernel& kernel) : kernel_(kernel) {}

  std::string head(const FillTile& fill) const {
    return concat("fill ", tile(fill.tile), " = ", text(fill.value));
  }
  std::string head(const LoadTile& load) const {
    return concat("load ", tile(load.tile), axes(load.row_axis, load.column_axis), " = ",
                  text(load.element), within(load.limits));
  }
  std::string head(const StoreTile& store) const {
    return concat("store ", buffer(store.buffer), "[", text(store.index), "] = ", tile(store.tile),
                  axes(store.row_axis, store.column_axis), within(store.limits));
  }
  std::string head(const Dot& dot) const {
    return concat("dot ", dot.is_async ? "async " : "", tile(dot.into), " += ", part(dot.lhs),
                  dot.is_lhs_transposed ? " transposed" : "", " * ", part(dot.rhs),
                  dot.is_rhs_transposed ? " transposed" : "");
  }
  std::string head(const WaitDot& wait) const {
    const auto name = [this](int guarded) { return tile(guarded); };
    return concat("wait_dot ", wait.pending, wait.tiles.empty() ? "" : " ",
                  join(wait.tiles, ", ", name));
  }
  std::string head(const EachElement& each) const {
    return concat("each i", each.row_axis, ", i", each.column_axis, " of ", tile(each.tile),
                  within(each.limits), " {");
  }
  std::string head(const ReadElement& read) const {
    return concat("read v", read.value, ": ", dtype_of(read.value), " = ", tile(read.tile));
  }
  std::string head(const WriteElement& write) const {
    return concat("write ", tile(write.tile), " = v", write.value);
  }
  std::string head(const FoldTile& fold) const {
    return concat("fold ", tile(fold.into), " ", loop::name(fold.combine), "= ", tile(fold.tile),
                  " along ", fold.along == Along::rows ? "rows" : "columns", within(fold.limits));
  }

  std::string head(const Role& role) const {
    const std::string_view unit = role.warps == kWarpgroupWarps ? "warpgroups " : "warps ";
    return concat("role ", quoted_tile_name(role.name), " ", unit, role.instances,
                  role.registers == 0 ? "" : concat(" registers ", role.registers),
                  role.index ? concat(" index i", *role.index) : "", " {");
  }
  std::string head(const TileLoop& loop) const {
    const auto axis = [](int number) { return concat("i", number); };
    const auto extent = [this](const Expr& e) { return text(e); };
    return concat("for ", join(loop.axes, ", ", axis), " in tiles(",
                  join(loop.extents, ", ", extent), ")",
                  loop.group == 1 ? "" : concat(" group ", loop.group),
                  loop.from.get() == nullptr ? "" : concat(" from ", text(loop.from)),
                  loop.step == 1 ? "" : concat(" step ", loop.step), " {");
  }
  std::string head(const Produce& produce) const {
    return concat("produce ", ring(produce.ring), " {");
  }
  std::string head(const Consume& consume) const {
    const std::string lag = consume.lag == 0 ? "" : concat(" lag ", consume.lag);
    return concat("consume ", ring(consume.ring), lag, " {");
  }
  std::string head(const SkipSlots& skip) const {
    return concat("skip ", ring(skip.ring), " ", text(skip.count));
  }
  std::string head(const CopyTile& copy) const {
    const auto index = [this](const Expr& e) { return text(e); };
    const std::string box = concat(view(copy.view), "[", join(copy.at, ", ", index), "]");
    return copy.is_store ? concat("copy ", box, " = ", tile(copy.tile))
                         : concat("copy ", tile(copy.tile), " = ", box);
  }
  std::string head(const WaitStores& wait) const {
    return concat("wait_stores ", wait.pending, wait.is_read_only ? " read" : "");
  }
  std::string head(const MoveTile& move) const {
    return concat("move ", tile(move.into), " = ", part(move.from));
  }
  std::string head(const NamedBarrier& barrier) const {
    return concat(barrier.waits ? "barrier_sync " : "barrier_arrive ", barrier.number, " threads ",
                  barrier.threads);
  }

  std::string declaration(const View& v) const {
    const auto size = [this](const Expr& e) { return text(e); };
    const auto number = [](int64_t n) { return std::to_string(n); };
    return concat("view ", quoted_tile_name(v.name), " = ", buffer(v.buffer), "[",
                  join(v.extents, ", ", size), "]",
                  v.first.get() == nullptr ? "" : concat(" from ", text(v.first)), " strides ",
                  join(v.strides, ", ", size), " box ", join(v.box, ", ", number),
                  v.swizzle == 0 ? "" : concat(" swizzle ", v.swizzle));
  }
  std::string declaration(const Ring& r) const {
    return concat("ring ", quoted_tile_name(r.name), " slots ", r.slots);
  }
  std::string declaration(const Tile& t) const {
    const std::string layout = t.layout == TileLayout::unmapped ? "" : concat(" ", name(t.layout));
    return concat("tile ", quoted_tile_name(t.name), ": ", ridge::name(t.dtype), "[", text(t.rows),
                  ", ", text(t.columns), "]", t.is_column_contiguous ? " columns" : "", layout,
                  t.slots == 1 ? "" : concat(" slots ", t.slots), owner(t));
  }

 private:
  std::string text(const Expr& e) const { return expression_text(kernel_, e); }
  std::string buffer(int number) const {
    if (number < 0 || std::cmp_greater_equal(number, kernel_.buffers.size())) {
      return concat("buffer", number);
    }
    return quoted_if_needed(kernel_.buffers[static_cast<size_t>(number)].name);
  }
  std::string tile(int number) const { return name_of(kernel_.tiles, number, "tile"); }
  std::string ring(int number) const { return name_of(kernel_.rings, number, "ring"); }
  std::string view(int number) const { return name_of(kernel_.views, number, "view"); }
  std::string owner(const Tile& t) const {
    if (t.ring >= 0) return concat(" in ", ring(t.ring));
    return t.role.empty() ? "" : concat(" in ", quoted_tile_name(t.role));
  }
  std::string dtype_of(int value) const {
    if (value < 0 || std::cmp_greater_equal(value, kernel_.values.size())) return "?";
    return std::string(ridge::name(kernel_.values[static_cast<size_t>(value)].dtype));
  }

  static std::string axes(int row, int column) { return concat("[i", row, ", i", column, "]"); }
  std::string part(const TilePart& part) const {
    const auto offset = [this](const Expr& e) { return e.get() == nullptr ? "0" : text(e); };
    const bool is_whole = part.row.get() == nullptr && part.column.get() == nullptr;
    return concat(tile(part.tile),
                  is_whole ? "" : concat("[", offset(part.row), ", ", offset(part.column), "]"));
  }
  // An expression does not begin with a star.
  std::string within(const TileLimits& limits) const {
    if (limits.rows.get() == nullptr && limits.columns.get() == nullptr) return "";
    const auto limit = [this](const Expr& e) { return e.get() == nullptr ? "*" : text(e); };
    return concat(" within ", limit(limits.rows), ", ", limit(limits.columns));
  }

  const Kernel& kernel_;
};

}  // namespace

std::string tile_head_text(const Kernel& kernel, const Statement& statement) {
  const TileWriter writer(kernel);
  return std::visit(
      [&]<class Kind>(const Kind& kind) -> std::string {
        if constexpr (TileStatement<Kind>) {
          return writer.head(kind);
        } else {
          RIDGE_INTERNAL_CHECK(false, "a statement that is not over tiles");
        }
      },
      statement.kind);
}

std::vector<std::string> declaration_texts(const Kernel& kernel) {
  std::vector<std::string> lines;
  for (const View& view : kernel.views) lines.push_back(declaration_text(kernel, view));
  for (const Ring& ring : kernel.rings) lines.push_back(declaration_text(kernel, ring));
  for (const Tile& tile : kernel.tiles) lines.push_back(declaration_text(kernel, tile));
  return lines;
}
std::string declaration_text(const Kernel& kernel, const View& view) {
  return TileWriter(kernel).declaration(view);
}
std::string declaration_text(const Kernel& kernel, const Ring& ring) {
  return TileWriter(kernel).declaration(ring);
}
std::string declaration_text(const Kernel& kernel, const Tile& tile) {
  return TileWriter(kernel).declaration(tile);
}

std::string quoted_tile_name(std::string_view name) {
  return name == "async" ? "\"async\"" : quoted_if_needed(name);
}

std::string_view name(TileLayout layout) {
  switch (layout) {
    case TileLayout::unmapped: return "";
    case TileLayout::accumulator: return "accumulator";
    case TileLayout::operand: return "operand";
    case TileLayout::row_values: return "row_values";
    case TileLayout::column_values: return "column_values";
    case TileLayout::linear: return "linear";
    case TileLayout::swizzle_32: return "swizzle 32";
    case TileLayout::swizzle_64: return "swizzle 64";
    case TileLayout::swizzle_128: return "swizzle 128";
  }
  return "?";
}

}  // namespace ridge::loop
