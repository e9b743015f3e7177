#include "ridge/schedule/plan.h"

#include <algorithm>
#include <set>

#include "ridge/base/hash.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/copy_kernel.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/memory.h"
#include "ridge/schedule/resident.h"
#include "ridge/schedule/work.h"

namespace ridge::schedule {
namespace {

// Sheets that come with Ridge, so that the same graph gives the same kernels everywhere.
constexpr std::string_view kUsualCpu = "generic-cpu";
constexpr std::string_view kUsualGpu = "h200";

bool is_empty(const Program& program, const Group& group) {
  for (const Member& member : group.members) {
    const Shape& shape = program.graph()[program.result(member.node)].type.shape;
    if (numel(shape).known() != 0) return false;
  }
  return true;
}

// Does nobody read what it computes? A value may be an operand for its shape alone.
bool is_dead(const Program& program, const Memory& memory, const Group& group) {
  return std::none_of(group.members.begin(), group.members.end(), [&](const Member& member) {
    return memory.is_stored[static_cast<size_t>(program.result(member.node).index)];
  });
}

// The nodes a kernel computes: its members and what is inlined into them.
std::vector<int32_t> covered_nodes(const Program& program, const Group& group) {
  std::set<int32_t> nodes;
  std::vector<int32_t> open;
  for (const Member& member : group.members) open.push_back(member.node);
  while (!open.empty()) {
    const int32_t node = open.back();
    open.pop_back();
    if (!nodes.insert(node).second) continue;
    for (const ValueId operand : program.meaning(node).operands) {
      const int32_t producer = operand.index < 0 ? -1 : program.graph()[operand].node;
      if (producer >= 0 && program.is_inlined(producer)) open.push_back(producer);
    }
  }
  return {nodes.begin(), nodes.end()};
}

std::shared_ptr<const cost::Sheet> sheet_of(const Options& options) {
  if (options.sheet) return options.sheet;
  static const auto& cpu = *new auto(cost::find_sheet(kUsualCpu));
  static const auto& gpu = *new auto(cost::find_sheet(kUsualGpu));
  return options.target == Target::cpu ? cpu : gpu;
}

// What can go wrong inside a kernel that computes it.
std::set<KernelStatus> possible_failures(const Meaning& meaning) {
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
  scan(meaning.definition.value);
  for (const Expr& index : meaning.definition.target) scan(index);
  return found;
}

}  // namespace

Plan schedule(const Graph& graph, const Options& options) {
  return schedule(Program(graph, options.fuses, options.alone), options);
}

Plan schedule(const Program& program, const Options& options) {
  const Graph& graph = program.graph();
  const std::shared_ptr<const cost::Sheet> sheet = sheet_of(options);
  const double resident = resident_bytes(program);
  Fusion fusion = options.fuses ? fuse(program, sheet.get(), resident) : fuse_nothing(program);
  Memory memory = plan_memory(program, fusion, options);
  Plan plan;
  for (const Group& group : fusion.groups) {
    if (is_empty(program, group) || is_dead(program, memory, group)) continue;
    const auto scratch = memory.scratch.find(group.members.front().node);
    const LoopInput input{program,
                          group,
                          memory.places,
                          memory.is_stored,
                          scratch == memory.scratch.end() ? -1 : scratch->second,
                          sheet.get(),
                          options.mapping,
                          resident};
    EmittedKernel emitted = options.target == Target::cpu ? cpu_loops(input) : gpu_loops(input);
    KernelCall call{.kernel = std::move(emitted.kernel),
                    .buffers = std::move(emitted.buffers),
                    .sizes = {},
                    .nodes = covered_nodes(program, group),
                    .kind = group.kind,
                    .decisions = std::move(emitted.decisions)};
    const auto patterns = access_patterns(program, group, memory.places, memory.is_stored);
    call.bytes = bytes_moved(patterns, group.extents(), memory.buffers);
    call.flops = flops_of(program, group);
    for (const int32_t node : call.nodes) {
      for (const KernelStatus status : possible_failures(program.meaning(node))) {
        call.checks.push_back({node, status});
      }
    }
    call.sizes = bind_symbols(call.kernel);
    describe(call, graph);
    plan.calls.push_back(std::move(call));
  }
  for (const Memory::Copy& copy : memory.copies) {
    if (numel(memory.buffers[static_cast<size_t>(copy.to)].shape).known() == 0) continue;
    plan.calls.push_back(copy_kernel(copy, memory.buffers, options.target));
  }
  plan.buffers = std::move(memory.buffers);
  plan.outputs = std::move(memory.outputs);
  plan.arena_bytes = memory.arena_bytes;
  plan.decisions = std::move(fusion.decisions);
  plan.sheet = sheet;
  plan.resident = resident;
  return plan;
}

}  // namespace ridge::schedule
