#include "ridge/schedule/gpu_row_loads.h"

#include <algorithm>

#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {
namespace {

using expr::Kind;

class LoadFinder {
 public:
  LoadFinder(Emitter& emitter, int least_bits) : emitter_(emitter), least_bits_(least_bits) {}

  std::vector<RowLoad> run(loop::Body& body, const PeeledLoop& peeled) {
    loads_.clear();
    pass_ = 0;
    scan(body, peeled, false);
    return std::move(loads_);
  }

 private:
  void scan(loop::Body& statements, const PeeledLoop& peeled, bool is_inside) {
    for (loop::Statement& statement : statements) {
      if (auto* const branch = std::get_if<loop::If>(&statement.kind)) {
        scan(branch->then, peeled, is_inside);
      } else if (auto* const loop = std::get_if<loop::Loop>(&statement.kind)) {
        const bool is_peeled_loop = loop->axis == peeled.step;
        scan(loop->body, peeled, is_inside || is_peeled_loop);
        if (is_peeled_loop) ++pass_;
      } else if (auto* const let = std::get_if<loop::Let>(&statement.kind)) {
        if (is_inside) note(*let);
      }
    }
  }

  void note(loop::Let& let) {
    const Expr& e = let.expression;
    if (e->kind != Kind::load) return;
    const DType dtype = emitter_.kernel().buffers[static_cast<size_t>(e->index)].dtype;
    if (dtype.bits < least_bits_) return;
    bool is_known_before = true;
    expr::walk(e->args[0], [&](const Expr& node) {
      is_known_before &= node->kind != Kind::input && node->kind != Kind::load;
    });
    if (!is_known_before) return;
    for (RowLoad& load : loads_) {
      if (load.buffer != e->index || !expr::same(load.index, e->args[0])) continue;
      load.lets.push_back(&let);
      load.is_multi_pass |= load.last_pass != pass_;
      load.last_pass = pass_;
      return;
    }
    loads_.push_back({e->index, e->args[0], {&let}, pass_, false});
  }

  Emitter& emitter_;
  int least_bits_;
  size_t pass_ = 0;
  std::vector<RowLoad> loads_;
};

// In the even rows, where trip // even_row_trips is 0.
Expr in_even_rows(const Expr& e, int row_loop, int64_t even_row_trips) {
  return expr::transform(e, [&](const Expr& node) -> Expr {
    const bool is_half = node->kind == Kind::call && node->function == expr::Function::floor_div &&
                         node->args[0]->kind == Kind::axis && node->args[0]->index == row_loop &&
                         expr::is_constant(node->args[1], static_cast<double>(even_row_trips));
    return is_half ? Expr(0) : node;
  });
}

template <class IsLeftOut>
std::vector<std::vector<RowLoad>> loads_of(Emitter& emitter, loop::Body& body,
                                           const std::vector<PeeledLoop>& peeled_loops,
                                           int least_bits, IsLeftOut is_left_out) {
  std::vector<std::vector<RowLoad>> found(peeled_loops.size());
  for (const loop::Buffer& buffer : emitter.kernel().buffers) {
    const bool is_global = buffer.space == loop::Space::global;
    if (is_global && buffer.access == loop::Access::in_out) return found;
  }
  LoadFinder finder(emitter, least_bits);
  bool are_alike = true;
  for (size_t i = 0; i < peeled_loops.size(); ++i) {
    found[i] = finder.run(body, peeled_loops[i]);
    std::erase_if(found[i], is_left_out);
    are_alike &= found[i].size() == found[0].size();
  }
  return are_alike ? found : std::vector<std::vector<RowLoad>>(peeled_loops.size());
}

}  // namespace

std::vector<std::vector<RowLoad>> repeated_loads(Emitter& emitter, loop::Body& body,
                                                 const std::vector<PeeledLoop>& peeled_loops,
                                                 int least_bits) {
  return loads_of(emitter, body, peeled_loops, least_bits,
                  [](const RowLoad& load) { return !load.is_multi_pass; });
}

std::vector<std::vector<RowLoad>> row_invariant_loads(Emitter& emitter, loop::Body& body,
                                                      const std::vector<PeeledLoop>& peeled_loops,
                                                      int least_bits, int row_loop,
                                                      int64_t even_row_trips) {
  return loads_of(emitter, body, peeled_loops, least_bits, [&](const RowLoad& load) {
    const auto& buffer = emitter.kernel().buffers[static_cast<size_t>(load.buffer)];
    const Expr index =
        even_row_trips > 0 ? in_even_rows(load.index, row_loop, even_row_trips) : load.index;
    return buffer.space != loop::Space::global || (axes_in(index) >> row_loop & 1) != 0;
  });
}

}  // namespace ridge::schedule
