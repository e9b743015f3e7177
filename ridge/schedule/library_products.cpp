#include "ridge/schedule/library_products.h"

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/group_emitter.h"
#include "ridge/schedule/mapped_product.h"
#include "ridge/schedule/plan_price.h"

namespace ridge::schedule {
namespace {

// Without the casts, which widen and change nothing.
Expr behind_casts(const Expr& e) {
  return e->kind == expr::Kind::cast ? behind_casts(e->args[0]) : e;
}

bool is_still(const Expr& step) { return expr::is_constant(step, 0); }

class ProductDescriber {
 public:
  explicit ProductDescriber(const LoopInput& input)
      : input_(input), group_(input), axes_(group_.axes), emitter_(group_.emitter) {}

  LibraryAnswer run() {
    LibraryAnswer answer{find_matrices()};
    if (answer.decision) answer.decision = find_axes();
    if (answer.decision) answer.product = product_;
    return answer;
  }

 private:
  Decision find_matrices() {
    if (input_.group.members.size() != 1) return Decision::no("it computes more than a product");
    const Member& member = input_.group.members.front();
    if (!group_.is_stored(member)) return Decision::no("its result has no memory");
    const auto factors = factors_of(input_.program.node_definition(member.node).definition.value);
    if (!factors) return Decision::no("not a product of two operands");
    if (!set(product_.lhs, lhs_, behind_casts(emitter_.raw(member, factors->lhs))) ||
        !set(product_.rhs, rhs_, behind_casts(emitter_.raw(member, factors->rhs))) ||
        !set_result(member)) {
      return Decision::no("a matrix without constant strides");
    }
    const DType dtype = product_.lhs.dtype;
    if (dtype != product_.rhs.dtype) {
      return Decision::no(
          concat("its operands are ", name(dtype), " and ", name(product_.rhs.dtype)));
    }
    const bool widens = is_16_bit_float(dtype) && product_.out.dtype == f32;
    const bool is_same = product_.out.dtype == dtype && is_floating(dtype);
    if (!is_same && !widens) {
      return Decision::no(concat("a product of ", name(dtype), " in ", name(product_.out.dtype)));
    }
    const int out = product_.out.buffer;
    if (out == product_.lhs.buffer || out == product_.rhs.buffer) {
      return Decision::no("it writes over what it reads");
    }
    return Decision::yes("matrices by their strides");
  }

  bool set(Matrix& matrix, expr::Affine& steps, const Expr& load) {
    if (load->kind != expr::Kind::load) return false;
    const loop::Buffer& buffer = emitter_.kernel().buffers[static_cast<size_t>(load->index)];
    matrix.buffer = emitter_.buffers()[static_cast<size_t>(load->index)];
    matrix.dtype = buffer.dtype;
    return set_steps(matrix, steps, load->args[0]);
  }
  bool set_result(const Member& member) {
    const ValueId result = input_.program.result(member.node);
    const graph::Type& type = input_.program.graph()[result].type;
    std::vector<Expr> position = emitter_.member_axes(member);
    position.resize(type.shape.size());
    product_.out.buffer = input_.locations[static_cast<size_t>(result.index)].buffer;
    product_.out.dtype = type.dtype;
    return set_steps(product_.out, out_, emitter_.address(result, position));
  }
  bool set_steps(Matrix& matrix, expr::Affine& steps, const Expr& address) {
    if (has_load(address)) return false;
    auto affine = expr::as_affine(address, emitter_.axis_count());
    if (!affine) return false;
    for (Expr& step : affine->coefficients) step = expr::simplify(step);
    steps = std::move(*affine);
    matrix.first = expr::simplify(steps.constant);
    return true;
  }

  Decision find_axes() {
    std::vector<int> batch;
    int m = -1, n = -1;
    for (const int axis : axes_.outer) {
      if (emitter_.extent(axis).known() == 1) continue;
      const bool in_lhs = !is_still(step(lhs_, axis)), in_rhs = !is_still(step(rhs_, axis));
      if (in_lhs && in_rhs) {
        batch.push_back(axis);
        continue;
      }
      int& which = in_lhs ? m : n;
      if (which >= 0 || (!in_lhs && !in_rhs)) {
        return Decision::no("a batch that one of its operands does not have");
      }
      which = axis;
    }
    if (batch.size() > 2) return Decision::no("batches along more than two axes");
    if (axes_.inner.size() != 1) return Decision::no("its summed axes do not run as one");
    const int k = axes_.inner[0];
    if (emitter_.extent(k).known() == 0) return Decision::no("a sum of nothing");
    set_extent(product_.m, m);
    set_extent(product_.n, n);
    set_extent(product_.k, k);
    set_batch(batch);
    set_matrix(product_.lhs, lhs_, m, k);
    set_matrix(product_.rhs, rhs_, k, n);
    set_matrix(product_.out, out_, m, n);
    return has_unit_steps();
  }

  const Expr& step(const expr::Affine& steps, int axis) const {
    return steps.coefficients[static_cast<size_t>(axis)];
  }
  void set_extent(Expr& extent, int axis) {
    if (axis >= 0) extent = emitter_.extent(axis).expression();
  }
  void set_matrix(Matrix& matrix, const expr::Affine& steps, int row, int column) {
    if (row >= 0) matrix.row_step = step(steps, row);
    if (column >= 0) matrix.column_step = step(steps, column);
  }
  // One launch takes the axis that is longer, if that is known.
  void set_batch(const std::vector<int>& axes) {
    if (axes.empty()) return;
    int batch = axes.back(), outer = axes.size() == 2 ? axes.front() : -1;
    if (outer >= 0 && emitter_.extent(outer).hint_or(0) > emitter_.extent(batch).hint_or(0)) {
      std::swap(batch, outer);
    }
    set_extent(product_.batch, batch);
    set_extent(product_.outer, outer);
    const auto set = [&](Matrix& matrix, const expr::Affine& steps) {
      matrix.batch_step = step(steps, batch);
      if (outer >= 0) matrix.outer_step = step(steps, outer);
    };
    set(product_.lhs, lhs_);
    set(product_.rhs, rhs_);
    set(product_.out, out_);
  }

  // A matrix is stored by rows or by columns, and its other step leads from one to the next.
  Decision has_unit_steps() const {
    const auto is_stored = [](const Matrix& matrix, const Expr& rows, const Expr& columns) {
      const auto is_one = [](const Expr& e) { return expr::is_constant(e, 1); };
      const auto moves = [&](const Expr& step, const Expr& extent) {
        return is_one(extent) || !is_still(step);
      };
      const bool has_unit =
          is_one(matrix.row_step) || is_one(matrix.column_step) || is_one(rows) || is_one(columns);
      return has_unit && moves(matrix.row_step, rows) && moves(matrix.column_step, columns);
    };
    if (is_stored(product_.lhs, product_.m, product_.k) &&
        is_stored(product_.rhs, product_.k, product_.n) &&
        is_stored(product_.out, product_.m, product_.n)) {
      return Decision::yes("a product of matrices, which the library computes");
    }
    return Decision::no("a matrix stored neither by rows nor by columns");
  }

  const LoopInput& input_;
  GroupEmitter group_;
  const KernelAxes& axes_;
  Emitter& emitter_;
  Product product_;
  expr::Affine lhs_, rhs_, out_;
};

Group contraction_by_itself(const InlinedGraph& program, int32_t node) {
  const ops::Definition& d = program.node_definition(node).definition;
  const auto rank = static_cast<ptrdiff_t>(d.output_rank);
  return {GroupKind::contraction,
          Shape(d.extents.begin(), d.extents.begin() + rank),
          Shape(d.extents.begin() + rank, d.extents.end()),
          {{node, ops::all_axes(d.extents.size()), false}}};
}

// Each value in a buffer of its own.
ValueLocations usual_places(const Graph& graph,
                            const std::vector<std::optional<Shape>>& input_strides,
                            const ValueStrides& strides) {
  ValueLocations locations;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    locations.push_back(
        {static_cast<int>(i),
         strides[i] ? *strides[i] : contiguous_strides(graph.values[i].type.shape)});
  }
  for (size_t i = 0; i < graph.inputs.size() && i < input_strides.size(); ++i) {
    if (!input_strides[i]) continue;
    locations[static_cast<size_t>(graph.inputs[i].index)].strides = *input_strides[i];
  }
  return locations;
}

bool is_faster_in_tiles(const Product& product, const LoopInput& input) {
  const std::optional<double> in_tiles = mapped_seconds(input);
  const auto by_library = library_price(product, *input.sheet, {.resident = input.resident});
  return in_tiles && by_library && *in_tiles < by_library->predicted;
}

}  // namespace

LibraryAnswer library_product(const LoopInput& input) { return ProductDescriber(input).run(); }

std::vector<bool> library_products(const InlinedGraph& program,
                                   const std::vector<std::optional<Shape>>& input_strides,
                                   const ValueStrides& strides, const cost::Sheet* sheet,
                                   double resident) {
  const Graph& graph = program.graph();
  const ValueLocations locations = usual_places(graph, input_strides, strides);
  const std::vector<bool> is_stored(graph.values.size(), true);
  std::vector<bool> result(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto node = static_cast<int32_t>(i);
    if (program.is_inlined(node) || !program.is_contraction(node)) continue;
    const Group group = contraction_by_itself(program, node);
    LoopInput input{program, group, locations, is_stored};
    const LibraryAnswer answer = library_product(input);
    result[i] = answer.decision.verdict;
    if (!result[i] || sheet == nullptr) continue;
    input.sheet = sheet, input.limits = cost::device_limits(sheet), input.resident = resident;
    result[i] = !is_faster_in_tiles(answer.product, input);
  }
  return result;
}

void bind_symbols(Product& product, const std::vector<Expr>& sizes) {
  rewrite(product, [&](const Expr& e) {
    return expr::transform(e, [&](const Expr& node) -> Expr {
      if (node->kind != expr::Kind::symbol) return node;
      size_t number = 0;
      while (number < sizes.size() && !expr::same(sizes[number], node)) ++number;
      RIDGE_INTERNAL_CHECK(number < sizes.size(), "a size of a product that its kernel lacks");
      return expr::param(static_cast<int>(number), expr::Type::integer);
    });
  });
}

}  // namespace ridge::schedule
