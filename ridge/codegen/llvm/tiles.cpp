#include "ridge/codegen/llvm/tiles.h"

#include "ridge/base/error.h"
#include "ridge/codegen/llvm/contract.h"
#include "ridge/codegen/llvm/memory.h"
#include "ridge/loop/mapping_rules.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen {
namespace {

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

class TileEmitter {
 public:
  explicit TileEmitter(Emission& emission) : emission_(emission), code_(emission.code) {}

  TileMemory declare(const loop::Tile& tile, bool is_panels) {
    const int64_t lanes = lanes_for(tile.dtype);
    TileMemory result{.dtype = tile.dtype,
                      .rows = tile.rows->integer,
                      .columns = tile.columns->integer,
                      .is_panels = is_panels};
    result.vectors = result.columns <= lanes ? 1 : 2;
    const int64_t width = lanes * result.vectors;
    int64_t elements = 0;
    if (is_panels) {
      result.pitch = round_up(result.rows, lanes);
      elements = result.pitch * round_up(result.columns, width);
      result.depth = stack_slot(emission_, b().getInt64Ty(), "depth");
    } else if (result.columns == 1) {
      result.pitch = 1;
      elements = round_up(result.rows, kTileRowUnit);
    } else {
      // Another vector, so that rows do not share sets of the cache.
      result.pitch = round_up(result.columns, width) + lanes;
      elements = round_up(result.rows, kTileRowUnit) * result.pitch;
    }
    auto* type =
        llvm::ArrayType::get(register_type(code_, tile.dtype), static_cast<uint64_t>(elements));
    result.memory = stack_slot(emission_, type, "tile");
    result.memory->setAlignment(llvm::Align(64));
    return result;
  }

  void operator()(const loop::FillTile& fill) {
    const TileMemory& t = tile(fill.tile);
    Value* value = emit_expression(emission_, fill.value, t.dtype);
    value = splat(code_, convert(code_, value, t.dtype), lanes_of(t));
    const int64_t rows = t.columns == 1 ? round_up(t.rows, kTileRowUnit) : t.rows * t.pitch;
    for_count(number(0), number(round_up(rows, lanes_of(t))), lanes_of(t),
              [&](Value* at) { store(t, value, at); });
  }

  void operator()(const loop::LoadTile& load) {
    const TileMemory& t = tile(load.tile);
    Value* rows = limited(load.limits.rows, t.rows);
    Value* columns = limited(load.limits.columns, t.columns);
    t.is_panels ? load_panels(load, t, rows, columns) : load_rows(load, t, rows, columns);
  }

  void operator()(const loop::Dot& dot) { emit_dot(dot, false); }

  void emit_dot(const loop::Dot& dot, bool is_first) {
    const TileMemory &into = tile(dot.into), &lhs = tile(dot.lhs.tile), &rhs = tile(dot.rhs.tile);
    ContractPlan plan = plan_of(rhs);
    plan.lhs_pitch = lhs.pitch;
    plan.sum_pitch = into.pitch;
    MicroArguments arguments{};
    arguments.m_stride = number(lhs.pitch);
    arguments.depth = b().CreateLoad(b().getInt64Ty(), rhs.depth);
    arguments.is_first = b().getInt1(is_first);
    const auto emit_panel = [&](Value* panel, unsigned vectors) {
      arguments.b = element_at(rhs, b().CreateMul(panel, number(rhs.pitch * plan.width())));
      Value* column = b().CreateMul(panel, number(plan.width()));
      for_count(number(0), number(round_up(into.rows, plan.rows)), plan.rows, [&](Value* row) {
        arguments.a = element_at(lhs, b().CreateMul(row, number(lhs.pitch)));
        arguments.c =
            element_at(into, b().CreateAdd(b().CreateMul(row, number(into.pitch)), column));
        call_micro_kernel(emission_, plan, plan.rows, vectors, arguments);
      });
    };
    // A last panel of few columns is one register wide.
    const auto width = static_cast<int64_t>(plan.width());
    const int64_t rest = into.columns % width;
    const bool is_narrow = rest > 0 && rest <= plan.lanes;
    const int64_t wide = is_narrow ? into.columns / width : (into.columns + width - 1) / width;
    for_count(number(0), number(wide), 1, [&](Value* panel) { emit_panel(panel, plan.vectors); });
    if (is_narrow) emit_panel(number(wide), 1);
  }

  void operator()(const loop::EachElement& each) {
    const TileMemory& t = tile(each.tile);
    Value* rows = limited(each.limits.rows, t.rows);
    Value* columns = limited(each.limits.columns, t.columns);
    Frame& frame = emission_.frame;
    const bool is_column = t.columns == 1;
    const unsigned lanes = lanes_of(t);
    const auto at = [&](Value* row, Value* column, Value* mask) {
      axis(each.row_axis) = frame.tile_row = row;
      axis(each.column_axis) = frame.tile_column = column;
      frame.has_lanes_along_rows = is_column;
      frame.vector_axis = is_column ? each.row_axis : each.column_axis;
      frame.lanes = lanes;
      frame.is_aligned = true;
      frame.mask = mask;
      emit_body(emission_, each.body);
      frame.vector_axis = -1;
      frame.lanes = 1;
      frame.is_aligned = false;
      frame.mask = nullptr;
    };
    if (is_column) {
      in_lanes(rows, lanes, [&](Value* row, Value* mask) { at(row, number(0), mask); });
    } else {
      for_count(number(0), rows, 1, [&](Value* row) {
        in_lanes(columns, lanes, [&](Value* column, Value* mask) { at(row, column, mask); });
      });
    }
    frame.tile_row = frame.tile_column = nullptr;
  }

  // An element that is the same for all lanes is one.
  void operator()(const loop::ReadElement& read) {
    const TileMemory& t = tile(read.tile);
    const Frame& frame = emission_.frame;
    const bool is_shared = frame.has_lanes_along_rows ? t.rows == 1 : t.columns == 1;
    Value* place = element_at(t, offset(t));
    llvm::Type* type = register_type(code_, t.dtype);
    Value* value = is_shared
                       ? b().CreateLoad(type, place)
                       : b().CreateAlignedLoad(with_lanes(type, frame.lanes), place, alignment(t));
    value = convert(code_, value, dtype_of(read.value));
    emission_.frame.values[static_cast<size_t>(read.value)] = {value, nullptr};
  }

  void operator()(const loop::WriteElement& write) {
    const TileMemory& t = tile(write.tile);
    Value* value = convert(code_, read_value(emission_, write.value), t.dtype);
    value = splat(code_, value, emission_.frame.lanes);
    Value* place = element_at(t, offset(t));
    Value* mask = emission_.frame.mask;
    if (mask == nullptr) {
      b().CreateAlignedStore(value, place, alignment(t));
    } else {
      b().CreateMaskedStore(value, place, alignment(t), mask);
    }
  }

  // Lanes along a row, then all lanes into one: an order that the shape decides.
  void operator()(const loop::FoldTile& fold) {
    const TileMemory &from = tile(fold.tile), &into = tile(fold.into);
    Value* rows = limited(fold.limits.rows, from.rows);
    Value* columns = limited(fold.limits.columns, from.columns);
    const unsigned lanes = lanes_of(from);
    Value* nothing = splat(code_, identity(emission_, fold.combine, from.dtype), lanes);
    llvm::AllocaInst* partial = stack_slot(emission_, nothing->getType(), "partial");
    for_count(number(0), rows, 1, [&](Value* row) {
      b().CreateStore(nothing, partial);
      Value* start = b().CreateMul(row, number(from.pitch));
      in_lanes(columns, lanes, [&](Value* column, Value* mask) {
        Value* place = element_at(from, b().CreateAdd(start, column));
        Value* value = b().CreateAlignedLoad(nothing->getType(), place, alignment(from));
        if (mask != nullptr) value = b().CreateSelect(mask, value, nothing);
        Value* before = b().CreateLoad(nothing->getType(), partial);
        b().CreateStore(combine(emission_, fold.combine, before, value), partial);
      });
      Value* all =
          combine_lanes(emission_, fold.combine, b().CreateLoad(nothing->getType(), partial));
      all = convert(code_, all, into.dtype);
      Value* place = element_at(into, row);
      Value* before = b().CreateLoad(register_type(code_, into.dtype), place);
      b().CreateStore(combine(emission_, fold.combine, before, all), place);
    });
  }

  template <class Kind>
  void operator()(const Kind&) {
    RIDGE_INTERNAL_CHECK(false, "can_generate refuses other statements over tiles");
  }

 private:
  Builder& b() { return code_.builder; }
  Value* number(int64_t value) { return b().getInt64(static_cast<uint64_t>(value)); }
  Value*& axis(int which) { return emission_.frame.axes[static_cast<size_t>(which)]; }
  const TileMemory& tile(int which) const {
    return emission_.frame.tiles[static_cast<size_t>(which)];
  }
  DType dtype_of(int value) const {
    return emission_.kernel.values[static_cast<size_t>(value)].dtype;
  }
  int64_t lanes_for(DType dtype) const { return code_.target.vector_bytes / (dtype.bits / 8); }
  unsigned lanes_of(const TileMemory& t) const { return static_cast<unsigned>(lanes_for(t.dtype)); }
  static llvm::Align alignment(const TileMemory& t) { return llvm::Align(t.dtype.bits / 8); }
  Value* element_at(const TileMemory& t, Value* at) {
    return b().CreateGEP(register_type(code_, t.dtype), t.memory, at);
  }
  void store(const TileMemory& t, Value* value, Value* at) {
    b().CreateAlignedStore(value, element_at(t, at), alignment(t));
  }
  template <class Body>
  void for_count(Value* begin, Value* end, int64_t step, Body&& body) {
    emit_counted_loop(emission_, begin, end, step, body);
  }

  // min(extent, limit), and 0 at least.
  Value* limited(const Expr& limit, int64_t extent) {
    if (limit.get() == nullptr) return number(extent);
    Value* value = emit_uniform(emission_, limit);
    Value* most = number(extent);
    value = b().CreateSelect(b().CreateICmpSLT(value, most), value, most);
    return b().CreateSelect(b().CreateICmpSLT(value, number(0)), number(0), value);
  }

  // Whole vectors without a mask, then what is left under one.
  template <class Body>
  void in_lanes(Value* count, unsigned lanes, Body&& body) {
    Value* rest = b().CreateAnd(count, number(lanes - 1));
    Value* whole = b().CreateSub(count, rest);
    for_count(number(0), whole, lanes, [&](Value* at) { body(at, nullptr); });
    emit_if(emission_, b().CreateICmpSLT(whole, count), "tail",
            [&] { body(whole, lanes_below(emission_, rest, lanes)); });
  }

  Value* offset(const TileMemory& t) {
    const Frame& frame = emission_.frame;
    Value* row = t.rows == 1 ? number(0) : frame.tile_row;
    Value* column = t.columns == 1 ? number(0) : frame.tile_column;
    return b().CreateAdd(b().CreateMul(row, number(t.pitch)), column);
  }

  // --- loads ---
  Value* evaluate(const loop::LoadTile& load, const TileMemory& t, Value* column, Value* mask) {
    Frame& frame = emission_.frame;
    axis(load.column_axis) = column;
    frame.vector_axis = load.column_axis;
    frame.lanes = lanes_of(t);
    frame.is_aligned = true;
    frame.mask = mask;
    Value* value = convert(code_, emit_expression(emission_, load.element, t.dtype), t.dtype);
    value = splat(code_, value, frame.lanes);
    if (mask != nullptr) {
      value = b().CreateSelect(mask, value, llvm::Constant::getNullValue(value->getType()));
    }
    frame.vector_axis = -1;
    frame.lanes = 1;
    frame.is_aligned = false;
    frame.mask = nullptr;
    return value;
  }

  void load_rows(const loop::LoadTile& load, const TileMemory& t, Value* rows, Value* columns) {
    const unsigned lanes = lanes_of(t);
    Value* nothing = llvm::Constant::getNullValue(with_lanes(register_type(code_, t.dtype), lanes));
    Value* filled =
        b().CreateAnd(b().CreateAdd(columns, number(lanes - 1)), number(-int64_t{lanes}));
    const auto clear = [&](Value* row, Value* from) {
      Value* start = b().CreateMul(row, number(t.pitch));
      for_count(from, number(round_up(t.columns, lanes)), lanes,
                [&](Value* column) { store(t, nothing, b().CreateAdd(start, column)); });
    };
    for_count(number(0), rows, 1, [&](Value* row) {
      axis(load.row_axis) = row;
      Value* start = b().CreateMul(row, number(t.pitch));
      in_lanes(columns, lanes, [&](Value* column, Value* mask) {
        store(t, evaluate(load, t, column, mask), b().CreateAdd(start, column));
      });
      clear(row, filled);
    });
    for_count(rows, number(t.rows), 1, [&](Value* row) { clear(row, number(0)); });
  }

  ContractPlan plan_of(const TileMemory& panels) {
    ContractPlan plan{};
    plan.element = register_type(code_, panels.dtype);
    plan.arithmetic = panels.dtype;
    plan.lanes = lanes_of(panels);
    plan.vectors = panels.vectors;
    plan.rows = static_cast<unsigned>(loop::contract_tile_rows(code_.target.vector_bytes));
    plan.k_block = panels.pitch;
    plan.has_narrow_tiles = true;
    plan.fills_zeros = true;
    return plan;
  }

  void load_panels(const loop::LoadTile& load, const TileMemory& t, Value* rows, Value* columns) {
    ContractPlan plan = plan_of(t);
    const loop::Contract as_operand{.m = -1,
                                    .n = load.column_axis,
                                    .k = load.row_axis,
                                    .m_extent = {},
                                    .n_extent = {},
                                    .k_extent = {},
                                    .lhs = {},
                                    .rhs = load.element,
                                    .accumulator = t.dtype,
                                    .value = -1,
                                    .body = {}};
    plan.is_rhs_transposed =
        is_transposed(emission_, load.element, load.column_axis, load.row_axis);
    b().CreateStore(rows, t.depth);
    pack_rhs(emission_, as_operand, plan, t.memory, number(0), rows, number(0), columns);
    clear_panels(t, plan, rows, columns);
  }

  // Vectors of columns beyond those that were packed.
  void clear_panels(const TileMemory& t, const ContractPlan& plan, Value* rows, Value* columns) {
    const unsigned lanes = plan.lanes;
    Value* nothing = llvm::Constant::getNullValue(with_lanes(plan.element, lanes));
    Value* filled =
        b().CreateAnd(b().CreateAdd(columns, number(lanes - 1)), number(-int64_t{lanes}));
    Value* end = number(round_up(t.columns, lanes));
    for_count(filled, end, lanes, [&](Value* column) {
      Value* panel = b().CreateUDiv(column, number(plan.width()));
      Value* start = b().CreateAdd(b().CreateMul(panel, number(t.pitch * plan.width())),
                                   b().CreateURem(column, number(plan.width())));
      for_count(number(0), rows, 1, [&](Value* row) {
        store(t, nothing, b().CreateAdd(start, b().CreateMul(row, number(plan.width()))));
      });
    });
  }

  Emission& emission_;
  Code& code_;
};

}  // namespace

void declare_tiles(Emission& emission) {
  const loop::Kernel& kernel = emission.kernel;
  for (size_t i = 0; i < kernel.tiles.size(); ++i) {
    const bool is_panels = is_right_operand(kernel, static_cast<int>(i));
    emission.frame.tiles.push_back(TileEmitter(emission).declare(kernel.tiles[i], is_panels));
  }
}

void emit_over_tile(Emission& emission, const loop::Statement& statement) {
  TileEmitter emitter(emission);
  std::visit(emitter, statement.kind);
}

bool is_cleared_by(const loop::Statement& fill, const loop::Statement& next) {
  const auto* filled = loop::as<loop::FillTile>(fill);
  const auto* dot = loop::as<loop::Dot>(next);
  return filled != nullptr && dot != nullptr && dot->into == filled->tile &&
         expr::is_constant(filled->value, 0);
}

void emit_first_dot(Emission& emission, const loop::Dot& dot) {
  TileEmitter(emission).emit_dot(dot, true);
}

}  // namespace ridge::codegen
