#include "ridge/schedule/gpu_split_reduction.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/cost/sheet.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/device_limits.h"
#include "ridge/schedule/gpu_row_work.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {

std::vector<RowPass> row_passes(const LoopInput& input) {
  const std::vector<int> numbers = passes_of(input.program, input.group);
  std::vector<RowPass> passes;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Member& member = input.group.members[i];
    const ValueId result = input.program.result(member.node);
    const bool is_reduction = !input.program.node_definition(member.node).is_map();
    const bool is_stored = input.is_stored[static_cast<size_t>(result.index)];
    if (!is_reduction && (member.is_per_row || !is_stored)) continue;
    passes.resize(std::max(passes.size(), static_cast<size_t>(numbers[i]) + 1));
    RowPass& pass = passes[static_cast<size_t>(numbers[i])];
    (is_reduction ? pass.reductions : pass.stores).push_back(&member);
  }
  std::erase_if(passes,
                [](const RowPass& pass) { return pass.reductions.empty() && pass.stores.empty(); });
  return passes;
}

size_t last_reducing(const std::vector<RowPass>& passes) {
  size_t last = 0;
  for (size_t i = 0; i < passes.size(); ++i) {
    if (!passes[i].reductions.empty()) last = i;
  }
  return last;
}

int64_t cluster_of(const loop::DeviceLimits& limits) {
  return std::min(kMaxClusterBlocks, limits.cluster_blocks);
}

bool can_split(const LoopInput& input) {
  return std::ranges::none_of(input.group.members, [&](const Member& member) {
    return gives_position(input.program.node_definition(member.node).definition.reducer);
  });
}

void PartialScratch::add(const Member& member, DType dtype, const Shape& partials,
                         const std::optional<Shape>& results) {
  Numbers& numbers = numbers_[member.node];
  numbers.partials = next_++;
  buffers.push_back({dtype, partials});
  if (!results) return;
  numbers.results = next_++;
  buffers.push_back({dtype, *results});
}

int64_t uneven_split_width(const GpuEmitter& gpu, size_t last) {
  int64_t width = kWideBytes;
  bool has_neighbors = false;
  for (const AccessPattern& pattern : gpu.group.patterns) {
    if (!pattern.is_affine) continue;
    const Expr& step = pattern.coefficients[last];
    if (expr::is_constant(step, 0)) continue;
    if (!expr::is_constant(step, 1)) return 1;
    // What is written once for a row is not what the time goes to.
    if (!is_along(pattern, gpu.input.group)) continue;
    has_neighbors = true;
    width = std::min(width, kWideBytes / std::max(1, pattern.dtype.bits / 8));
  }
  return has_neighbors ? std::max<int64_t>(width, 1) : 1;
}

int64_t split_width(const GpuEmitter& gpu, const std::vector<int>& along, size_t last) {
  if (along.empty()) return 1;
  const auto extent = gpu.emitter.extent(along.back()).known();
  if (!extent) return 1;
  int64_t width = uneven_split_width(gpu, last);
  while (width > 1 && *extent % width != 0) width /= 2;
  return width;
}

void close_predicated(GpuEmitter& gpu, const Expr& condition) {
  const Expr holds = gpu.emitter.simplified(condition);
  loop::Body body = gpu.emitter.close_body();
  if (!expr::is_constant(holds) || holds->integer == 0) {
    gpu.emitter.add({loop::If{holds, std::move(body)}});
    return;
  }
  for (loop::Statement& statement : body) gpu.emitter.add(std::move(statement));
}

int scratch_buffer(Emitter& emitter, int planned, DType dtype, const Shape& shape,
                   loop::Access access) {
  const int number = emitter.scratch(planned, dtype, shape);
  emitter.kernel().buffers[static_cast<size_t>(number)].access = access;
  return number;
}

namespace {

class ReadCounts {
 public:
  explicit ReadCounts(size_t values) : is_read(values) {}

  void add(const loop::Body& body) {
    for (const loop::Statement& statement : body) {
      std::visit([&](const auto& kind) { add_kind(kind); }, statement.kind);
    }
  }
  std::vector<bool> is_read;

 private:
  void mark(int value) { is_read[static_cast<size_t>(value)] = true; }
  void add(const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      if (node->kind == expr::Kind::input) mark(node->index);
    });
  }
  void add_kind(const loop::Loop& loop) { add(loop.body); }
  void add_kind(const loop::If& branch) {
    add(branch.condition);
    add(branch.then);
  }
  void add_kind(const loop::Let& let) { add(let.expression); }
  void add_kind(const loop::Var& var) { add(var.initial); }
  void add_kind(const loop::Assign& assign) { add(assign.expression); }
  void add_kind(const loop::Reduce& reduce) { mark(reduce.operand); }
  void add_kind(const loop::Store& store) {
    add(store.index);
    mark(store.value);
  }
  void add_kind(const loop::Contract& contract) { add(contract.body); }
  void add_kind(const loop::Barrier&) {}
  void add_kind(const loop::CollectiveReduce&) {}
  void add_kind(const loop::AsyncCopy& copy) {
    add(copy.index);
    add(copy.from_index);
  }
  void add_kind(const loop::WaitCopies&) {}
  void add_kind(const loop::BulkCopy& copy) {
    add(copy.first);
    add(copy.count);
  }
  void add_kind(const loop::TileStatement auto&) {
    RIDGE_INTERNAL_CHECK(false, "a split reduction over tiles");
  }
};

void drop(loop::Body& body, const std::vector<bool>& is_dropped) {
  std::erase_if(body, [&](const loop::Statement& statement) {
    const auto* const let = std::get_if<loop::Let>(&statement.kind);
    return let != nullptr && is_dropped[static_cast<size_t>(let->value)];
  });
  for (loop::Statement& statement : body) {
    if (auto* loop = std::get_if<loop::Loop>(&statement.kind)) drop(loop->body, is_dropped);
    if (auto* branch = std::get_if<loop::If>(&statement.kind)) drop(branch->then, is_dropped);
  }
}

}  // namespace

void drop_unread(loop::Kernel& kernel, const std::vector<int>& lets) {
  ReadCounts counts(kernel.values.size());
  counts.add(kernel.body);
  std::vector<bool> is_dropped(kernel.values.size());
  for (const int value : lets) {
    is_dropped[static_cast<size_t>(value)] = !counts.is_read[static_cast<size_t>(value)];
  }
  drop(kernel.body, is_dropped);
}

}  // namespace ridge::schedule
