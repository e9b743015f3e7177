#include "ridge/schedule/plan.h"

#include <algorithm>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/large_stack.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/schedule/batch.h"
#include "ridge/schedule/gpu_split_product.h"
#include "ridge/schedule/kernel_call.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/library_products.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/lowering_cache.h"
#include "ridge/schedule/mapped_product.h"
#include "ridge/schedule/memory_plan.h"
#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {
namespace {

// Sheets that come with Ridge, so that the same graph gives the same kernels everywhere.
constexpr std::string_view kUsualCpu = "generic-cpu";
constexpr std::string_view kUsualGpu = "h200";

bool is_empty(const InlinedGraph& program, const Group& group) {
  for (const Member& member : group.members) {
    const NodeDefinition& node_definition = program.node_definition(member.node);
    // Of a part that is written in place, the elements of the part count.
    const Size stored =
        node_definition.written.empty() ? numel(node_definition.shape) : node_definition.points();
    if (stored.known() != 0) return false;
  }
  return true;
}

// Does nobody read what it computes? A value may be an operand for its shape alone.
bool is_dead(const InlinedGraph& program, const MemoryPlan& memory, const Group& group) {
  return std::none_of(group.members.begin(), group.members.end(), [&](const Member& member) {
    return memory.is_stored[static_cast<size_t>(program.result(member.node).index)];
  });
}

std::shared_ptr<const cost::Sheet> sheet_of(const Options& options) {
  if (options.sheet) return options.sheet;
  static const auto& cpu = *new auto(cost::find_sheet(kUsualCpu));
  static const auto& gpu = *new auto(cost::find_sheet(kUsualGpu));
  return options.target == Target::cpu ? cpu : gpu;
}

class Scheduler {
 public:
  Scheduler(const InlinedGraph& program, const Options& options)
      : program_(program),
        options_(options),
        sheet_(sheet_of(options)),
        limits_(cost::device_limits(sheet_.get())),
        resident_(resident_bytes(program)),
        strides_(strides()),
        fusion_(groups()),
        memory_(plan_memory(program, fusion_, options, strides_)),
        lowered_(program) {}

  // Nothing, if some nodes must be defined differently first: see `refused`.
  std::optional<Plan> run() {
    if (memory_.refused.empty() && options_.fuses && options_.batches) join_equal_maps();
    if (!memory_.refused.empty()) return std::nullopt;
    Plan plan;
    plan.calls = group_calls();
    for (const MemoryPlan::Copy& copy : memory_.copies) {
      if (numel(memory_.buffers[static_cast<size_t>(copy.to)].shape).known() == 0) continue;
      plan.calls.push_back(copy_kernel(copy, memory_.buffers, options_.target));
    }
    plan.buffers = std::move(memory_.buffers);
    plan.outputs = std::move(memory_.outputs);
    plan.arena = std::move(memory_.arena);
    plan.arena_bytes = memory_.arena_bytes + memory_.scratch_bytes;
    plan.decisions = std::move(fusion_.decisions);
    plan.sheet = sheet_;
    plan.resident = resident_;
    plan.maps_products = maps_products();
    plan.fits_32_bits = options_.target == Target::gpu && all_fit_32_bits(plan);
    return plan;
  }

  const std::vector<ValueId>& refused() const { return memory_.refused; }

 private:
  ValueStrides strides() const {
    ValueStrides strides = choose_strides(program_);
    if (maps_products()) pad_pitches(program_, *sheet_, strides);
    return strides;
  }
  Fusion groups() const {
    if (!options_.fuses) return fuse_nothing(program_);
    std::vector<bool> not_fusible;
    if (uses_library()) {
      const bool by_price = options_.library == LibraryUse::automatic;
      not_fusible = library_products(program_, options_.input_strides, strides_,
                                     by_price ? sheet_.get() : nullptr, resident_);
    }
    return fuse(program_, sheet_.get(), resident_,
                {std::move(not_fusible), options_.chains, maps_products()});
  }

  bool uses_library() const {
    return options_.has_library_products && options_.library != LibraryUse::never;
  }
  bool maps_products() const {
    return options_.target == Target::gpu && options_.library != LibraryUse::always;
  }

  // By guards: a call for which one fails gets another program. What is counted on the way to an index
  // runs ahead of it by less than a tile.
  bool all_fit_32_bits(const Plan& plan) const {
    constexpr int64_t kLargest = (int64_t{1} << 31) - (int64_t{1} << 24);
    const auto fits = [](const Size& size) {
      return size.hint_or(kLargest) < kLargest && size < kLargest;
    };
    for (const PlannedBuffer& buffer : plan.buffers) {
      if (!fits(numel(buffer.shape))) return false;
    }
    for (const auto& strides : options_.input_strides) {
      if (strides && !std::ranges::all_of(*strides, fits)) return false;
    }
    return std::ranges::all_of(fusion_.groups, [&](const Group& group) {
      return fits(numel(group.outer)) && fits(numel(group.inner));
    });
  }

  bool is_left_out(const Group& group) const {
    return is_empty(program_, group) || is_dead(program_, memory_, group);
  }

  LoopInput input_of(const Group& group) const {
    const auto scratch = memory_.scratch.find(group.members.front().node);
    return {program_,
            group,
            memory_.locations,
            memory_.is_stored,
            scratch == memory_.scratch.end() ? -1 : scratch->second,
            sheet_.get(),
            limits_,
            options_.mapping,
            resident_,
            static_cast<int>(memory_.buffers.size())};
  }

  // The groups of a batch come to run one after the other, which changes what lives when.
  void join_equal_maps() {
    maps_ = find_batch_maps(program_, fusion_, [&](const Group& group) -> std::optional<LoopInput> {
      if (is_left_out(group)) return std::nullopt;
      return input_of(group);
    });
    if (!form_batches(program_, fusion_, maps_, options_.target)) return;
    const MemoryPlan before =
        std::exchange(memory_, plan_memory(program_, fusion_, options_, strides_));
    move_buffers(program_, fusion_, maps_, before, memory_);
  }

  std::vector<KernelCall> group_calls() {
    BatchJoiner joiner(program_.graph(), *sheet_, resident_, options_.target);
    for (size_t g = 0; g < fusion_.groups.size(); ++g) {
      const Group& group = fusion_.groups[g];
      if (is_left_out(group)) continue;
      if (group.batch >= 0) {
        joiner.add_entry(counted_call(input_of(group), memory_.buffers), std::move(*maps_[g]),
                         group.batch);
      } else {
        add_calls(joiner, group);
      }
    }
    return joiner.finish();
  }

  void add_calls(BatchJoiner& joiner, const Group& group) {
    const LoopInput input = input_of(group);
    const auto lower = [&] { return lowered(input); };
    LoweredGroup made = options_.shares ? lowered_.lowered(input, lower) : lower();
    memory_.add_scratch(program_.result(group.members.front().node), made.scratch_buffers);
    for (size_t i = 0; i < made.calls.size(); ++i) {
      describe(made.calls[i], program_.graph(), made.contents[i]);
      joiner.add(std::move(made.calls[i]));
    }
  }

  LoweredGroup lowered(const LoopInput& input) const {
    LoweredGroup result =
        made_of(input, options_.target == Target::gpu ? gpu_loops(input) : cpu_loops(input));
    const bool is_product = input.group.kind == GroupKind::contraction && result.calls.size() == 1;
    if (!is_product) return result;
    KernelCall& call = result.calls.front();
    if (uses_library()) add_library_product(call, input);
    if (maps_products() && !call.product) return in_tiles(input, std::move(result));
    return result;
  }

  LoweredGroup made_of(const LoopInput& input, EmittedGroup emitted) const {
    LoweredGroup result{{}, {}, std::move(emitted.scratch_buffers)};
    const bool is_whole = emitted.kernels.size() == 1;
    for (EmittedKernel& kernel : emitted.kernels) {
      KernelCall call = counted_call(input, memory_.buffers);
      set_kernel(call, std::move(kernel));
      if (!is_whole) count_split_kernel(call, *sheet_);
      if (&kernel != &emitted.kernels.back()) call.stored.clear();
      result.contents.push_back(content_of(call.kernel));
      result.calls.push_back(std::move(call));
    }
    return result;
  }

  // By the name that a product has in any mapping, RIDGE_MAPPING gives it another.
  LoweredGroup in_tiles(const LoopInput& input, LoweredGroup product) const {
    const bool can_split = product.calls.front().sizes.empty();
    const ChosenMapping chosen =
        choose_mapping(product.calls.front(), input, {.hash = product.contents.front()}, can_split);
    if (chosen.parts() > 1) {
      std::optional<EmittedGroup> parts = gpu_split_product(input, chosen.parts());
      RIDGE_INTERNAL_CHECK(parts.has_value(), "a product of parts that are not equal");
      std::string content = std::move(product.contents.front());
      product = made_of(input, std::move(*parts));
      product.contents.front() = std::move(content);
    }
    map_product(product.calls.front(), chosen, limits_);
    return product;
  }

  const InlinedGraph& program_;
  const Options& options_;
  std::shared_ptr<const cost::Sheet> sheet_;
  loop::DeviceLimits limits_;
  double resident_;
  ValueStrides strides_;
  Fusion fusion_;
  MemoryPlan memory_;
  LoweringCache lowered_;
  BatchMaps maps_;  // by group
};

}  // namespace

LibraryUse library_use(std::string_view word) {
  if (word == "never") return LibraryUse::never;
  if (word == "auto") return LibraryUse::automatic;
  RIDGE_CHECK(word == "always", .code = ErrorCode::value, .expected = "never, auto or always",
              .given = concat("`", word, "`"));
  return LibraryUse::always;
}

// What is written in place changes what is fused, and the order of what is fused says whether it may
// be: so it is tried, and tried again without the inputs for which it may not.
namespace {

Plan schedule_here(const Graph& graph, const Options& options) {
  std::vector<ValueId> refused;
  while (true) {
    std::vector<NodeDefinition> node_definitions = define_nodes(graph);
    write_in_place(graph, node_definitions, refused);
    const InlinedGraph program(graph, std::move(node_definitions), options.fuses, options.unfused);
    Scheduler planner(program, options);
    if (std::optional<Plan> plan = planner.run()) return std::move(*plan);
    refused.insert(refused.end(), planner.refused().begin(), planner.refused().end());
  }
}

}  // namespace

// The emitter follows chains of fused nodes by recursion, however long they are.
Plan schedule(const Graph& graph, const Options& options) {
  return on_large_stack([&] { return schedule_here(graph, options); });
}

Plan schedule(const InlinedGraph& program, const Options& options) {
  std::optional<Plan> plan = on_large_stack([&] { return Scheduler(program, options).run(); });
  RIDGE_INTERNAL_CHECK(plan.has_value(), "a part of an input that cannot be written in place");
  return std::move(*plan);
}

}  // namespace ridge::schedule
