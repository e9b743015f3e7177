#include "ridge/schedule/gpu_emitter.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

int64_t GpuEmitter::block_size(const Size& work) {
  const auto known = work.known();
  if (!known || *known >= kMaxBlockThreads) return kMaxBlockThreads;
  return std::max(kWarp, divided_up(*known, kWarp) * kWarp);
}

void GpuEmitter::close_if(const Expr& condition) {
  loop::Body body = emitter.close_body();
  emitter.add({loop::If{condition, std::move(body)}});
}

void GpuEmitter::store_row_values(const Expr& is_first) {
  for (const Member& member : input.group.members) {
    const bool is_row = member.is_per_row || (group.is_reduction(member) && !member.is_per_column);
    if (!is_row || !group.is_stored(member)) continue;
    const int value = emitter.member_value(member);
    emitter.open_body();
    emitter.store(member, value);
    close_if(emitter.simplified(is_first));
  }
}

loop::Body only_if(const Expr& condition, loop::Body body) {
  if (!static_cast<bool>(condition)) return body;
  loop::Body result;
  result.push_back({loop::If{condition, std::move(body)}});
  return result;
}

loop::Body in_lanes(int lane, int64_t width, loop::Body body) {
  if (lane < 0) return body;
  loop::Body result;
  result.push_back({loop::Loop{lane, Expr(width), loop::Place::vector, std::move(body)}});
  return result;
}

int64_t GpuEmitter::width_along(const std::vector<int>& along, size_t last,
                                const Size& count) const {
  if (along.empty()) return 1;
  // Of symbols it has to divide the extent whatever their values are: 8 does, of n * 64.
  const Size& extent = emitter.extent(along.back());
  const auto divides = [&](int64_t width) { return (extent % width).known() == 0; };
  int64_t width = kWideBytes;
  bool has_neighbors = false;
  for (const AccessPattern& pattern : group.patterns) {
    // One element for all of them costs the same however many they are.
    if (pattern.is_affine && expr::is_constant(pattern.coefficients[last], 0)) continue;
    const int64_t bytes = std::max(1, pattern.dtype.bits / 8);
    width = std::min(width, kWideBytes / bytes);
    if (!pattern.is_affine) continue;
    if (!expr::is_constant(pattern.coefficients[last], 1)) return 1;
    has_neighbors = true;
  }
  // Less than a warp of them is better spread over more threads.
  while (width > 1 && (!divides(width) || count.hint_or(kWarp * width) < kWarp * width)) width /= 2;
  return has_neighbors ? std::max<int64_t>(width, 1) : 1;
}

// Steps of whole rows along the axes of the group: one element behind the other.
static bool is_flat(const AccessPattern& pattern, const Shape& extents) {
  Size step = 1;
  for (size_t i = extents.size(); i-- > 0;) {
    const auto known = step.known();
    if (!known || !expr::is_constant(pattern.coefficients[i], static_cast<double>(*known)))
      return false;
    step = step * extents[i];
  }
  return true;
}

int64_t GpuEmitter::flat_width(const Size& count) const {
  const auto known = count.known();
  int64_t width = kWideBytes;
  bool has_flat = false;
  for (const AccessPattern& pattern : group.patterns) {
    if (!known || !pattern.is_affine) return 1;
    if (is_flat(pattern, input.group.outer)) {
      width = std::min(width, kWideBytes / std::max(1, pattern.dtype.bits / 8));
      has_flat = true;
      continue;
    }
    const bool is_shared = std::ranges::any_of(
        pattern.coefficients, [](const Expr& step) { return expr::is_constant(step, 0); });
    if (pattern.is_store || !is_shared) return 1;
  }
  while (width > 1 && *known < kWarp * width) width /= 2;
  return has_flat ? std::max<int64_t>(width, 1) : 1;
}

namespace {

constexpr int kStandIn = 1 << 20;  // beyond any number of global buffers

class OwnNumbers {
 public:
  explicit OwnNumbers(int first) : first_(first) {}

  void settle(loop::Body& body) const {
    for (loop::Statement& statement : body) {
      std::visit([&](auto& kind) { settle_kind(kind); }, statement.kind);
    }
  }

 private:
  int settled(int buffer) const { return buffer < kStandIn ? buffer : first_ + buffer - kStandIn; }
  void settle(expr::Expr& e) const {
    e = expr::transform(e, [&](const expr::Expr& node) -> expr::Expr {
      if (node->kind != expr::Kind::load || node->index < kStandIn) return node;
      return expr::load(settled(node->index), node->type, {node->args.begin(), node->args.end()});
    });
  }

  void settle_kind(loop::Loop& loop) const { settle(loop.body); }
  void settle_kind(loop::If& branch) const {
    settle(branch.condition);
    settle(branch.then);
  }
  void settle_kind(loop::Let& let) const { settle(let.expression); }
  void settle_kind(loop::Var& var) const { settle(var.initial); }
  void settle_kind(loop::Assign& assign) const { settle(assign.expression); }
  void settle_kind(loop::Store& store) const {
    store.buffer = settled(store.buffer);
    settle(store.index);
  }
  void settle_kind(loop::Contract& contract) const { settle(contract.body); }
  void settle_kind(loop::Reduce&) const {}
  void settle_kind(loop::Barrier&) const {}
  void settle_kind(loop::CollectiveReduce&) const {}
  void settle_kind(loop::AsyncCopy& copy) const {
    copy.buffer = settled(copy.buffer);
    settle(copy.index);
    settle(copy.from_index);
  }
  void settle_kind(loop::WaitCopies&) const {}
  void settle_kind(loop::BulkCopy& copy) const {
    copy.buffer = settled(copy.buffer);
    copy.from = settled(copy.from);
    settle(copy.first);
    settle(copy.count);
  }
  void settle_kind(loop::TileStatement auto&) const {
    RIDGE_INTERNAL_CHECK(false, "on-chip buffers of a kernel over tiles");
  }

  int first_;
};

}  // namespace

int OnChipBuffers::add(std::string name, DType dtype, int64_t elements, loop::Space space) {
  buffers_.push_back(
      {std::move(name), dtype, loop::Access::in_out, space, expr::constant(elements)});
  return kStandIn + static_cast<int>(buffers_.size()) - 1;
}

void OnChipBuffers::settle(loop::Kernel& kernel) const {
  OwnNumbers(static_cast<int>(kernel.buffers.size())).settle(kernel.body);
  kernel.buffers.insert(kernel.buffers.end(), buffers_.begin(), buffers_.end());
}

}  // namespace ridge::schedule
