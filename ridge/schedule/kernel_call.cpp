#include "ridge/schedule/kernel_call.h"

#include <set>

#include "ridge/cost/price.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/library_products.h"

namespace ridge::schedule {
namespace {

// The nodes a kernel computes: its members and what is inlined into them.
std::vector<int32_t> covered_nodes(const InlinedGraph& program, const Group& group) {
  std::set<int32_t> nodes;
  std::vector<int32_t> open;
  for (const Member& member : group.members) open.push_back(member.node);
  while (!open.empty()) {
    const int32_t node = open.back();
    open.pop_back();
    if (!nodes.insert(node).second) continue;
    for (const ValueId operand : program.node_definition(node).operands) {
      const int32_t producer = operand.index < 0 ? -1 : program.graph()[operand].node;
      if (producer >= 0 && program.is_inlined(producer)) open.push_back(producer);
    }
  }
  return {nodes.begin(), nodes.end()};
}

// What can go wrong inside a kernel that computes it.
std::set<KernelStatus> possible_failures(const NodeDefinition& node_definition) {
  std::set<KernelStatus> found;
  const auto scan = [&](const Expr& e) {
    expr::walk(e, [&](const Expr& node) {
      if (is_call(node, expr::Function::checked_index)) {
        found.insert(KernelStatus::index_out_of_range);
      }
      // What is divided without a load is an index expression, of sizes that are not 0.
      if (node->type != expr::Type::integer || !has_load(node)) return;
      if (is_call(node, expr::Function::floor_div) || is_call(node, expr::Function::mod)) {
        found.insert(KernelStatus::division_by_zero);
      }
      if (is_call(node, expr::Function::pow)) found.insert(KernelStatus::negative_exponent);
    });
  };
  scan(node_definition.definition.value);
  for (const Expr& index : node_definition.definition.target) scan(index);
  return found;
}

}  // namespace

KernelCall counted_call(const LoopInput& input, const std::vector<PlannedBuffer>& buffers) {
  const InlinedGraph& program = input.program;
  KernelCall call{.kernel = {}, .buffers = {}, .sizes = {}, .nodes = {}, .kind = input.group.kind};
  set_nodes(call, program, input.group);
  const auto patterns = access_patterns(program, input.group, input.locations, input.is_stored);
  call.bytes = bytes_moved(patterns, input.group.extents(), buffers);
  call.flops = flops_of(program, input.group);
  for (const Member& member : input.group.members) {
    const ValueId value = program.result(member.node);
    const auto at = static_cast<size_t>(value.index);
    if (!input.is_stored[at]) continue;
    call.stored.push_back({value, input.locations[at].buffer, input.locations[at].strides});
  }
  return call;
}

void set_nodes(KernelCall& call, const InlinedGraph& program, const Group& group) {
  call.nodes = covered_nodes(program, group);
  call.checks.clear();
  for (const int32_t node : call.nodes) {
    for (const KernelStatus status : possible_failures(program.node_definition(node))) {
      call.checks.push_back({node, status});
    }
  }
}

void set_kernel(KernelCall& call, EmittedKernel emitted) {
  call.kernel = std::move(emitted.kernel);
  call.buffers = std::move(emitted.buffers);
  call.decisions = std::move(emitted.decisions);
  call.sizes = bind_symbols(call.kernel);
}

void count_split_kernel(KernelCall& call, const cost::Sheet& sheet) {
  const auto sizes = expected_sizes(call);
  if (!sizes) return;  // the whole group's count is an upper bound
  const cost::Price price = cost::price(cost::nest_of(call.kernel, *sizes), sheet);
  call.bytes = static_cast<int64_t>(price.compulsory_bytes);
  call.flops = static_cast<int64_t>(price.flops);
}

void add_library_product(KernelCall& call, const LoopInput& input) {
  LibraryAnswer answer = library_product(input);
  if (answer.decision) {
    bind_symbols(answer.product, call.sizes);
    call.product = std::move(answer.product);
  } else {
    answer.decision.reason = "not the library's: " + answer.decision.reason;
  }
  call.decisions.push_back(std::move(answer.decision));
}

std::optional<std::vector<int64_t>> expected_values(std::span<const Expr> sizes) {
  constexpr int64_t kUnknown = -1;
  std::vector<int64_t> values;
  for (const Expr& size : sizes) {
    values.push_back(Size(size).hint_or(kUnknown));
    if (values.back() == kUnknown) return std::nullopt;
  }
  return values;
}

std::optional<std::vector<int64_t>> expected_sizes(const KernelCall& call) {
  return expected_values(call.sizes);
}

std::vector<KernelRun> runs_of(const KernelCall& call) {
  if (call.entries.empty()) return {{call.buffers, call.sizes}};
  std::vector<KernelRun> runs;
  for (const KernelCall::Entry& entry : call.entries) {
    runs.push_back({entry.buffers, {Expr(entry.count)}});
  }
  return runs;
}

}  // namespace ridge::schedule
