#include "ridge/verify/verify_kernels.h"

#include <algorithm>
#include <set>

#include "ridge/base/hash.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/graph/symbols.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::verify {
namespace {

using graph::ValueId;
using schedule::KernelCall;

// Of the elements alone: gaps between them belong to others.
uint64_t content_of(const Tensor& tensor) {
  Hasher hasher;
  if (is_storage_only(tensor.dtype())) return 0;
  for (const double value : tensor.to_vector<double>()) {
    hasher.combine(std::bit_cast<uint64_t>(value));
  }
  return hasher.digest();
}

bool touches(const KernelCall& call, int buffer) {
  return std::ranges::any_of(schedule::runs_of(call), [&](const schedule::KernelRun& run) {
    return std::ranges::find(run.buffers, buffer) != run.buffers.end();
  });
}

}  // namespace

KernelCheck::KernelCheck(const schedule::Plan& plan, const graph::Graph& graph,
                         graph::SymbolSizes sizes, std::span<const Tensor* const> inputs,
                         std::span<void* const> memory, Device device)
    : plan_(plan),
      sizes_(std::move(sizes)),
      graph_(sizes_.empty() ? graph : graph::substitute(graph, sizes_)),
      memory_(memory),
      device_(device) {
  for (size_t i = 0; i < plan.buffers.size(); ++i) {
    const schedule::PlannedBuffer& buffer = plan.buffers[i];
    if (buffer.kind != BufferKind::input) continue;
    const Tensor& input = *inputs[static_cast<size_t>(buffer.index)];
    store({buffer.value, static_cast<int>(i), input.strides()}, host_copy(input));
  }
}

Tensor KernelCheck::read(ValueId value, int buffer, const Shape& strides) const {
  const graph::Type& type = graph_[value].type;
  const Tensor there = Tensor::from_blob_strided(memory_[static_cast<size_t>(buffer)], type.shape,
                                                 strides, type.dtype, {}, device_);
  Tensor here = host_copy(there);
  here.impl().is_weak = type.is_weak;
  return here;
}

// What was in that buffer before is gone.
void KernelCheck::store(const KernelCall::Stored& stored, const Tensor& now) {
  std::erase_if(known_, [&](const auto& entry) { return entry.second.buffer == stored.buffer; });
  known_[stored.value.index] = {stored.buffer, stored.strides, content_of(now)};
}

void KernelCheck::before(size_t call) {
  if (call < next_) return;  // a later kernel of its group
  open(call);
}

void KernelCheck::open(size_t call) {
  unit_ = Unit{.first = call, .last = call};
  while (unit_.last + 1 < plan_.calls.size() && plan_.calls[unit_.last].stored.empty()) {
    ++unit_.last;
  }
  next_ = unit_.last + 1;
  set_part(unit_);
}

// The nodes that give what is stored, from what is in memory. Some are of no kernel: values that the
// scheduler reads through, or needs for their shape alone.
void KernelCheck::set_part(Unit& unit) const {
  const KernelCall& last = plan_.calls[unit.last];
  std::set<int32_t> nodes;
  std::vector<ValueId> open;
  for (const KernelCall::Stored& stored : last.stored) open.push_back(stored.value);
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    const int32_t node = graph_[value].node;
    if (graph_[value].constant.defined()) continue;
    const bool is_computed = std::ranges::binary_search(last.nodes, node);
    if (!is_computed && known_.contains(value.index)) continue;
    if (node < 0) return;  // an input that was written over: what it was is not known anymore
    if (!nodes.insert(node).second) continue;
    std::ranges::copy(graph::operands(graph_.nodes[static_cast<size_t>(node)]),
                      std::back_inserter(open));
  }
  graph::Part part(graph_, last.kernel.name);
  for (const int32_t node : nodes) part.copy(graph_.nodes[static_cast<size_t>(node)]);
  for (const KernelCall::Stored& stored : last.stored) part.add_output(stored.value);
  unit.part = graph::on_device(part.take(), kCpu);
  const int64_t points = reference_points(unit.part);
  if (points > kMostReferencePoints) {
    log(LogLevel::warning, "verify",
        concat(kernels_text(unit), " was not checked: the reference takes too long for it"));
    return;
  }
  unit.is_checked = true;
  read_inputs(unit, part.inputs());
}

void KernelCheck::read_inputs(Unit& unit, const graph::ValueIds& values) const {
  for (const ValueId value : values) {
    const Known& known = known_.at(value.index);
    unit.inputs.push_back(read(value, known.buffer, known.strides));
    const bool is_kept = content_of(unit.inputs.back()) == known.content;
    if (!is_kept && is_direct_operand(unit, value, known.buffer)) {
      throw_overwritten(unit.first, value);
    }
  }
}

// Does a kernel of the unit read the value where it lies? Memory of others may be used again.
bool KernelCheck::is_direct_operand(const Unit& unit, ValueId value, int buffer) const {
  for (size_t i = unit.first; i <= unit.last; ++i) {
    if (!touches(plan_.calls[i], buffer)) continue;
    if (plan_.calls[i].nodes.empty()) return true;
    for (const int32_t node : plan_.calls[i].nodes) {
      const graph::ValueIds read = graph::operands(graph_.nodes[static_cast<size_t>(node)]);
      if (std::ranges::find(read, value) != read.end()) return true;
    }
  }
  return false;
}

void KernelCheck::after(size_t call) {
  if (call != unit_.last) return;
  const std::vector<KernelCall::Stored>& all = plan_.calls[call].stored;
  std::vector<Tensor> found;
  for (const KernelCall::Stored& one : all) {
    const Shape strides = graph::substitute(one.strides, sizes_);
    found.push_back(read(one.value, one.buffer, strides));
    store({one.value, one.buffer, strides}, found.back());
  }
  if (!unit_.is_checked || all.empty()) return;
  std::optional<Oracle> oracle;
  try {
    oracle.emplace(unit_.part, unit_.inputs);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) throw;
    return;  // an index out of range, say: the status of the kernel is about to tell
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_storage_only(found[i].dtype())) continue;
    const auto mismatch = oracle->judge(i, found[i]);
    if (mismatch) throw_wrong(all[i].value, *mismatch);
  }
}

std::string KernelCheck::kernels_text(const Unit& unit) const {
  std::vector<std::string> names;
  for (size_t i = unit.first; i <= unit.last; ++i) names.push_back(plan_.calls[i].kernel.name);
  return concat(names.size() == 1 ? "kernel " : "kernels ", join(names, ", "));
}

void KernelCheck::throw_wrong(ValueId value, const reference::Mismatch& mismatch) const {
  const KernelCall& call = plan_.calls[unit_.last];
  const graph::Type& type = graph_[value].type;
  const auto lines = schedule::lines_of(call, graph_);
  const std::string ops = join(schedule::ops_of(call, graph_), ", ");
  const int32_t node = graph_[value].node;
  throw WrongKernel(
      {.code = ErrorCode::internal,
       .op = kernels_text(unit_),
       .expected = concat(expected_text(mismatch, type.shape), ", in the ", to_text(type),
                          ops.empty() ? " it copies" : concat(" of ", ops),
                          lines.empty() ? "" : concat(" (", join(lines, ", "), ")")),
       .given = concat(mismatch.ours),
       .where =
           node < 0 ? std::nullopt : std::optional(graph_.nodes[static_cast<size_t>(node)].where)},
      unit_.last, false);
}

void KernelCheck::throw_overwritten(size_t call, ValueId value) const {
  throw WrongKernel({.code = ErrorCode::internal,
                     .op = "kernel " + plan_.calls[call].kernel.name,
                     .expected = concat("to read %", value.index, ", ", to_text(graph_[value].type),
                                        ", as it was written"),
                     .given = "memory that a kernel in between wrote to"},
                    call, true);
}

}  // namespace ridge::verify
