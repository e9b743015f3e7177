#include <utility>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_mappings.h"
#include "ridge/schedule/gpu_tile_shape.h"

namespace ridge::schedule {
namespace {

// An array that goes through shared memory.
struct Staged {
  int buffer;
  Expr index;  // over the axes of the map
  std::string name;
  DType dtype;
  int tile;  // in shared memory
};

class GpuTiles {
 public:
  GpuTiles(GpuEmitter& gpu, const TileShape& shape) : gpu_(gpu), shape_(shape) {}

  std::optional<EmittedKernel> run() {
    open_threads();
    // The axes of the map stand for themselves until it is said how threads traverse them.
    emitter_.open_body(axis_mask({shape_.column_axis, shape_.row_axis}));
    gpu_.group.store_members();
    loop::Body points = emitter_.close_body();
    const TileTraversal by_rows = traverse_rows(emitter_, shape_, threads_);
    const TileTraversal by_columns = traverse_columns(emitter_, shape_, threads_);
    for (loop::Statement& statement : points) redirect(statement, by_columns);
    if (loads_.empty() && stores_.empty()) return std::nullopt;
    fetch(by_rows);
    emitter_.add(by_columns.with(std::move(points)));
    leave(by_rows);
    for (int i = 0; i < open_loops_; ++i) emitter_.close();
    EmittedKernel result = gpu_.group.finish();
    own_.settle(result.kernel);
    result.decisions.push_back(
        Decision::yes(concat("tiles of ", shape_.rows, " x ", shape_.columns,
                             " through shared memory: arrays lie along different axes")));
    return result;
  }

 private:
  void open(int axis, loop::Place place) {
    emitter_.open(axis, place);
    ++open_loops_;
  }
  void open_threads() {
    const auto tiles = [&](int axis, int64_t side) {
      return emitter_.add_axis(divided_up(emitter_.extent(axis), side));
    };
    threads_.row_tile = tiles(shape_.row_axis, shape_.rows);
    threads_.column_tile = tiles(shape_.column_axis, shape_.columns);
    threads_.row = emitter_.add_axis(shape_.threads / shape_.beside());
    threads_.thread = emitter_.add_axis(shape_.beside());
    for (const int axis : gpu_.axes.outer) {
      if (axis != shape_.column_axis && axis != shape_.row_axis) open(axis, loop::Place::gpu_block);
    }
    open(threads_.row_tile, loop::Place::gpu_block);
    open(threads_.column_tile, loop::Place::gpu_block);
    open(threads_.row, loop::Place::gpu_thread);
    open(threads_.thread, loop::Place::gpu_thread);
  }

  Expr with_axis(const Expr& e, int axis, const Expr& value) const {
    std::vector<Expr> axes;
    for (int i = 0; i < emitter_.axis_count(); ++i)
      axes.push_back(i == axis ? value : expr::axis(i));
    return substitute_axes(e, axes);
  }
  // An expression over the map, on a traversal.
  Expr on(const TileTraversal& traversal, const Expr& e) const {
    const Expr there = with_axis(with_axis(e, shape_.column_axis, traversal.column),
                                 shape_.row_axis, traversal.row);
    return expr::transform(there, [&](const Expr& node) -> Expr {
      if (node->kind != expr::Kind::load) return node;
      return expr::with_args(node, {emitter_.simplified(node->args[0])});
    });
  }
  Expr place(const Staged& staged, const TileTraversal& traversal) const {
    return emitter_.simplified(shape_.place(staged.dtype, traversal.point));
  }

  // Takes a point of the map to where a traversal is, with staged arrays from and to shared memory.
  void redirect(loop::Statement& statement, const TileTraversal& traversal) {
    if (auto* const let = std::get_if<loop::Let>(&statement.kind)) {
      const Expr e = let->expression;
      if (e->kind == expr::Kind::load && is_staged(e->index, e->args[0])) {
        const Staged& staged = stage(loads_, e->index, e->args[0]);
        let->expression = expr::load(staged.tile, e->type, {place(staged, traversal)});
      } else {
        let->expression = on(traversal, e);
      }
    } else if (auto* const store = std::get_if<loop::Store>(&statement.kind)) {
      if (is_staged(store->buffer, store->index)) {
        const Staged& staged = stage(stores_, store->buffer, store->index);
        *store = {staged.tile, place(staged, traversal), store->value};
      } else {
        store->index = emitter_.simplified(on(traversal, store->index));
      }
    } else {
      RIDGE_INTERNAL_CHECK(false, "a map holds values and stores only");
    }
  }
  bool is_staged(int buffer, const Expr& index) const {
    bool is_known_before = true;
    expr::walk(index, [&](const Expr& node) {
      is_known_before &= node->kind != expr::Kind::input && node->kind != expr::Kind::load;
    });
    const auto affine =
        is_known_before ? expr::as_affine(index, emitter_.axis_count()) : std::nullopt;
    if (!affine) return false;
    const Expr column_stride =
        expr::simplify(affine->coefficients[static_cast<size_t>(shape_.column_axis)]);
    const Expr row_stride =
        expr::simplify(affine->coefficients[static_cast<size_t>(shape_.row_axis)]);
    if (!expr::is_constant(column_stride) || !expr::is_constant(row_stride)) return false;
    const DType dtype = emitter_.kernel().buffers[static_cast<size_t>(buffer)].dtype;
    return is_transposed_access(column_stride->integer, row_stride->integer, dtype);
  }
  const Staged& stage(std::vector<Staged>& list, int buffer, const Expr& index) {
    for (const Staged& known : list) {
      if (known.buffer == buffer && expr::same(known.index, index)) return known;
    }
    const loop::Buffer& array = emitter_.kernel().buffers[static_cast<size_t>(buffer)];
    const size_t before = loads_.size() + stores_.size();
    const std::string name = concat(array.name, before == 0 ? "" : concat("_", before + 1));
    const int tile = own_.add(concat(name, "_tile"), array.dtype, shape_.elements(array.dtype));
    list.push_back({buffer, index, name, array.dtype, tile});
    return list.back();
  }

  // From memory: all loads of a thread are under way before the first of them is waited for.
  void fetch(const TileTraversal& traversal) {
    if (loads_.empty()) return;
    loop::Body fetched, written;
    const Expr register_at =
        emitter_.simplified(expr::axis(traversal.step) * traversal.width + traversal.in_vector());
    for (const Staged& staged : loads_) {
      const Expr from = expr::load(staged.buffer, scalar_type(staged.dtype),
                                   {emitter_.simplified(on(traversal, staged.index))});
      const int registers = own_.add(concat(staged.name, "_registers"), staged.dtype,
                                     traversal.steps * traversal.width, loop::Space::local);
      const Expr back = expr::load(registers, from->type, {register_at});
      const int value = let(fetched, staged, from), again = let(written, staged, back);
      fetched.push_back({loop::Store{registers, register_at, value}});
      written.push_back({loop::Store{staged.tile, place(staged, traversal), again}});
    }
    emitter_.add(traversal.with(std::move(fetched)));
    emitter_.add(traversal.with(std::move(written)));
    emitter_.add({loop::Barrier{}});
  }
  // To memory.
  void leave(const TileTraversal& traversal) {
    if (stores_.empty()) return;
    emitter_.add({loop::Barrier{}});
    loop::Body body;
    for (const Staged& staged : stores_) {
      const Expr from =
          expr::load(staged.tile, scalar_type(staged.dtype), {place(staged, traversal)});
      const int value = let(body, staged, from);
      const Expr index = emitter_.simplified(on(traversal, staged.index));
      body.push_back({loop::Store{staged.buffer, index, value}});
    }
    emitter_.add(traversal.with(std::move(body)));
  }
  int let(loop::Body& body, const Staged& staged, const Expr& e) {
    const DType registers = register_dtype(staged.dtype);
    const int value = emitter_.new_value(staged.name, registers);
    body.push_back({loop::Let{value, registers == f64 ? f64 : f32, e}});
    return value;
  }

  GpuEmitter& gpu_;
  Emitter& emitter_ = gpu_.emitter;
  TileShape shape_;
  OnChipBuffers own_;
  std::vector<Staged> loads_, stores_;
  TileThreads threads_;
  int open_loops_ = 0;
};

}  // namespace

std::optional<EmittedKernel> gpu_tiles(const LoopInput& input) {
  GpuEmitter gpu(input);
  const std::optional<TileShape> shape = tile_shape(gpu);
  if (!shape) return std::nullopt;
  return GpuTiles(gpu, *shape).run();
}

}  // namespace ridge::schedule
