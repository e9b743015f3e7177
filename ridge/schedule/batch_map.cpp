#include "ridge/schedule/batch_map.h"

#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

// Indices stay below 2^31, those of threads without an element too.
constexpr int64_t kMostElements = (int64_t{1} << 31) - (int64_t{1} << 16);

// Applies f to the buffer and the index of each access of a body.
template <class F>
void for_each_access(const loop::Body& body, const F& f) {
  const auto loads = [&](const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      if (node->kind == expr::Kind::load) f(node->index, node->args[0]);
    });
  };
  for (const loop::Statement& statement : body) {
    if (const auto* loop = std::get_if<loop::Loop>(&statement.kind)) {
      for_each_access(loop->body, f);
    } else if (const auto* branch = std::get_if<loop::If>(&statement.kind)) {
      for_each_access(branch->then, f);
    } else if (const auto* let = std::get_if<loop::Let>(&statement.kind)) {
      loads(let->expression);
    } else if (const auto* store = std::get_if<loop::Store>(&statement.kind)) {
      f(store->buffer, store->index);
    }
  }
}

class BatchMapWriter {
 public:
  explicit BatchMapWriter(const LoopInput& input) : gpu_(input) {}

  std::optional<BatchMap> find() {
    if (gpu_.axes.outer.size() != 1 || !gpu_.axes.inner.empty()) return std::nullopt;
    const std::optional<int64_t> count = gpu_.extent_of(gpu_.axes.outer).known();
    if (!count || *count > kMostElements) return std::nullopt;
    emit_point();
    EmittedKernel made = gpu_.group.finish();
    if (!set_lengths(made.kernel, *count)) return std::nullopt;
    return BatchMap{canonical_text(made.kernel), std::move(made.buffers), *count};
  }

  loop::Kernel write() {
    const int64_t count = gpu_.extent_of(gpu_.axes.outer).value();
    emit();
    loop::Kernel kernel = gpu_.group.finish().kernel;
    const bool is_flat = set_lengths(kernel, count);
    RIDGE_INTERNAL_CHECK(is_flat, "a map to batch is one at each element");
    return kernel;
  }

 private:
  // A loop over the elements, to compare maps by.
  void emit_point() {
    const int i = emitter_.add_axis(kMostElements);
    emitter_.open(i, n_, loop::Place::grid);
    emitter_.stay_inside();
    gpu_.flatten(gpu_.axes.outer, expr::axis(i));
    positions_.push_back(expr::axis(i));
    gpu_.group.store_members();
    emitter_.close();
  }

  int64_t width() const {
    int64_t widest = 1;
    for (const AccessPattern& pattern : gpu_.group.patterns) {
      if (axes_in(pattern.address) == 0) continue;
      widest = std::max<int64_t>(widest, pattern.dtype.bits / 8);
    }
    return kWideBytes / widest;
  }

  void emit() {
    const int64_t lanes = width(), tile = kMostBlockThreads * lanes;
    // As many blocks as there may ever be, so that no index is simplified by a length.
    const int b = emitter_.add_axis(kMostElements / tile), t = emitter_.add_axis(kMostBlockThreads);
    const int lane = emitter_.add_axis(lanes);
    const Expr& n = n_;
    const Expr first = (expr::axis(b) * kMostBlockThreads + expr::axis(t)) * lanes;
    emitter_.open(b, expr::floor_div(n + (tile - 1), tile), loop::Place::grid, false);
    emitter_.open(t, kMostBlockThreads, loop::Place::block, false);
    emit_where(first + (lanes - 1) < n, {b, t}, first + expr::axis(lane),
               [&] { gpu_.emit_lanes(lane, lanes, [&] { gpu_.group.store_members(); }); });
    const Expr left = expr::mod(n, lanes);
    const Expr is_last = n <= expr::axis(b) * tile + tile;
    emit_where(expr::axis(t) < left && is_last, {b, t},
               expr::floor_div(n, lanes) * lanes + expr::axis(t),
               [&] { gpu_.group.store_members(); });
    emitter_.close();
    emitter_.close();
  }

  // What `body` emits at the flat index, under a condition.
  template <class Emit>
  void emit_where(const Expr& condition, std::initializer_list<int> axes, const Expr& flat,
                  Emit&& body) {
    const std::vector<Expr> of_group = emitter_.group_axes();
    emitter_.open_body(axis_mask(axes));
    emitter_.stay_inside();
    gpu_.flatten(gpu_.axes.outer, flat);
    positions_.push_back(emitter_.simplified(flat));
    body();
    gpu_.close_if(emitter_.simplified(condition));
    emitter_.set_group_axes(of_group);
  }

  // Every access is at the flat index, of an array of that length, or at a single element.
  bool set_lengths(loop::Kernel& kernel, int64_t count) const {
    bool is_flat = true;
    std::vector<bool> moves(kernel.buffers.size());
    for_each_access(kernel.body, [&](int buffer, const Expr& index) {
      if (expr::is_constant(index, 0)) return;
      moves[static_cast<size_t>(buffer)] = true;
      is_flat &=
          std::ranges::any_of(positions_, [&](const Expr& e) { return expr::same(e, index); });
    });
    for (size_t i = 0; i < kernel.buffers.size(); ++i) {
      loop::Buffer& buffer = kernel.buffers[i];
      is_flat &= !moves[i] || expr::is_constant(buffer.elements, static_cast<double>(count));
      buffer.elements = moves[i] ? n_ : Expr(1);
    }
    kernel.sizes = {"n"};
    return is_flat;
  }

  GpuEmitter gpu_;
  Emitter& emitter_ = gpu_.emitter;
  const Expr n_ = expr::param(0, expr::Type::integer);
  std::vector<Expr> positions_;  // flat indices
};

}  // namespace

std::optional<BatchMap> find_batch_map(const LoopInput& input) {
  if (input.group.kind != GroupKind::map) return std::nullopt;
  return BatchMapWriter(input).find();
}

loop::Kernel batch_kernel(const LoopInput& input) { return BatchMapWriter(input).write(); }

}  // namespace ridge::schedule
