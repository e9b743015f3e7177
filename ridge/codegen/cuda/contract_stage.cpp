// From global memory to tiles in shared memory.
#include <algorithm>

#include "ridge/codegen/cuda/contract_builder.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/device_limits.h"

namespace ridge::codegen::cuda {
namespace {

constexpr size_t kMostWider = 2;  // other widths, each a copy of the loop

// The load that an operand is, perhaps widened; null if it is more than that.
Expr plain_load(const Expr& e) {
  if (e->kind == expr::Kind::cast) return plain_load(e->args[0]);
  return e->kind == expr::Kind::load ? e : Expr();
}

// e where params are multiples of the width, written so that everybody can see it: s0 -> 4 * (s0 // 4).
Expr in_multiples(const Expr& e, const std::vector<Expr>& params, int64_t width) {
  return expr::transform(e, [&](const Expr& node) -> Expr {
    const bool is_one =
        std::ranges::any_of(params, [&](const Expr& param) { return expr::same(param, node); });
    return is_one ? expr::floor_div(node, Expr(width)) * width : node;
  });
}

// What has to be a multiple of the width, for contiguous runs along `axis` to start at one wherever the
// other axes are, and for the last of them to end with the axis: 64 * s0 is one of 64.
class RunMultiples {
 public:
  RunMultiples(ContractBuilder& builder, const expr::Affine& affine, int axis, const Expr& extent)
      : builder_(builder) {
    add(affine.constant);
    for (size_t i = 0; i < affine.coefficients.size(); ++i) {
      if (static_cast<int>(i) != axis) add(affine.coefficients[i]);
    }
    add(extent);
  }

  bool hold_for(int64_t width, const std::vector<Expr>& params = {}) {
    return std::ranges::all_of(parts_, [&](const Expr& e) {
      const Expr known = params.empty() ? e : builder_.simplified(in_multiples(e, params, width));
      return builder_.multiple_of(known) % width == 0;
    });
  }
  // Those of what is not a multiple as it is.
  std::vector<Expr> params_for(int64_t width) {
    std::vector<Expr> params;
    for (const Expr& e : parts_) {
      if (builder_.multiple_of(e) % width == 0) continue;
      expr::walk(e, [&](const Expr& node) {
        const auto is_it = [&](const Expr& known) { return expr::same(known, node); };
        if (node->kind == expr::Kind::param && std::ranges::none_of(params, is_it)) {
          params.push_back(node);
        }
      });
    }
    return params;
  }

 private:
  void add(const Expr& e) {
    const Expr simple = expr::simplify(e);
    if (!expr::is_constant(simple, 0)) parts_.push_back(simple);
  }

  ContractBuilder& builder_;
  std::vector<Expr> parts_;
};

loop::Body stage_by(ContractBuilder& builder, const Staging& staging, int64_t width,
                    const std::vector<Expr>& params) {
  const SharedTile& tile = staging.tile;
  const int64_t line = (staging.is_read_along_k ? staging.depth : tile.side) / width;
  const int64_t chunks = tile.side * staging.depth / width;
  const int trip = builder.add_axis((chunks + kContractThreads - 1) / kContractThreads);
  const int lane = width > 1 ? builder.add_axis(width) : -1;
  const Expr chunk = expr::axis(trip) * kContractThreads + expr::axis(builder.thread);
  const Expr first = builder.simplified(expr::mod(chunk, line) * width);
  const Expr other = builder.simplified(expr::floor_div(chunk, line));
  const Expr along = lane < 0 ? first : first + expr::axis(lane);
  const Expr side = staging.is_read_along_k ? other : along;
  const Expr k = staging.is_read_along_k ? along : other;
  const Expr k_start = expr::axis(builder.step) * staging.depth;
  const Expr index =
      builder.simplified(tile.is_along_k ? side * tile.leading + k : k * tile.leading + side);
  const auto body_of = [&](const Expr& e) {
    const int value = builder.add_value("", builder.contract.accumulator);
    loop::Body body;
    body.push_back({loop::Let{value, builder.arithmetic, e}});
    body.push_back(builder.store(tile.buffer, index, value));
    if (lane < 0) return body;
    loop::Body lanes;
    lanes.push_back(builder.loop(lane, std::move(body), loop::Place::vector));
    return lanes;
  };
  TilePosition position{.k = builder.simplified(k_start + k)};
  (staging.side_axis == builder.contract.m ? position.m : position.n) = side;
  const Expr element =
      at_position(builder.contract, in_multiples(staging.operand, params, width), position);
  // A contiguous run is inside or outside as a whole: extents are multiples of its length.
  const Expr first_side = staging.is_read_along_k ? other : first;
  const Expr first_k = staging.is_read_along_k ? first : other;
  const Expr is_inside = builder.simplified(first_side < staging.side_extent &&
                                            k_start + first_k < builder.contract.k_extent);
  const bool is_whole = chunks % kContractThreads == 0;
  loop::Body inside = body_of(element);
  loop::Body body;
  if (expr::is_constant(is_inside, 1)) {
    body = std::move(inside);
  } else {
    const bool is_integer = builder.contract.accumulator == i64;
    body.push_back({loop::If{is_inside, std::move(inside)}});
    body.push_back({loop::If{!is_inside, body_of(is_integer ? Expr(0) : expr::constant(0.0))}});
  }
  if (!is_whole) {
    loop::Body guarded;
    guarded.push_back({loop::If{chunk < chunks, std::move(body)}});
    body = std::move(guarded);
  }
  loop::Body result;
  result.push_back(builder.loop(trip, std::move(body)));
  return result;
}

}  // namespace

void choose_access(ContractBuilder& builder, Staging& staging) {
  const int k = builder.contract.k;
  staging.width = 1;
  staging.is_read_along_k = staging.side_axis == builder.contract.m;
  const Expr load = plain_load(staging.operand);
  if (load.get() == nullptr) return;
  const auto affine = expr::as_affine(load->args[0], builder.kernel.axis_count);
  if (!affine) return;
  const auto is_unit = [&](int axis) {
    return expr::is_constant(expr::simplify(affine->coefficients[static_cast<size_t>(axis)]), 1);
  };
  if (!is_unit(k) && !is_unit(staging.side_axis)) return;
  staging.is_read_along_k = is_unit(k);
  const int axis = staging.is_read_along_k ? k : staging.side_axis;
  const Expr extent = staging.is_read_along_k ? builder.contract.k_extent : staging.side_extent;
  const DType dtype = builder.kernel.buffers[static_cast<size_t>(load->index)].dtype;
  // Of the tile's own elements too, so that both sides of the copy are as wide.
  const int64_t most = loop::kCudaLimits.vector_bytes / std::max(1, dtype.bits / 8);
  RunMultiples multiples(builder, *affine, axis, extent);
  for (int64_t width = most; width > 1; width /= 2) {
    if (multiples.hold_for(width)) {
      staging.width = width;
      return;
    }
    std::vector<Expr> params = multiples.params_for(width);
    if (staging.wider.size() == kMostWider || !multiples.hold_for(width, params)) continue;
    staging.wider.push_back({width, std::move(params)});
  }
}

loop::Body stage(ContractBuilder& builder, const Staging& staging) {
  loop::Body body;
  Expr is_left = expr::constant(true);  // to none of those before
  for (const Staging::Wider& wider : staging.wider) {
    Expr are_multiples = expr::constant(true);
    for (const Expr& param : wider.params) {
      are_multiples = are_multiples && expr::equal(expr::mod(param, Expr(wider.width)), Expr(0));
    }
    body.push_back({loop::If{builder.simplified(is_left && are_multiples),
                             stage_by(builder, staging, wider.width, wider.params)}});
    is_left = is_left && !are_multiples;
  }
  loop::Body usual = stage_by(builder, staging, staging.width, {});
  if (staging.wider.empty()) return usual;
  body.push_back({loop::If{builder.simplified(is_left), std::move(usual)}});
  return body;
}

}  // namespace ridge::codegen::cuda
