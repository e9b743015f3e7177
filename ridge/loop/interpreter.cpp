#include "ridge/loop/interpreter.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/bytecode.h"
#include "ridge/loop/memory.h"
#include "ridge/loop/run_code.h"
#include "ridge/loop/tile_machine.h"

namespace ridge::loop {
namespace {

std::vector<uint32_t> every_lane(uint32_t width, uint32_t step) {
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < width; lane += step) lanes.push_back(lane);
  return lanes;
}

class Machine {
 public:
  Machine(const Kernel& kernel, Bytecode program, Memory& memory, const Options& options,
          Counts& counts)
      : kernel_(kernel),
        program_(std::move(program)),
        memory_(memory),
        options_(options),
        counts_(counts),
        lanes_of_thread_(1u << program_.thread_shift),
        all_lanes_(every_lane(program_.width, lanes_of_thread_)),
        runner_(program_, program_.words.data(), counts.status, *this) {}

  void run() {
    const int64_t blocks = number_threads();
    for (int64_t i = 0; i < blocks; ++i) {
      const int64_t block = options_.reverse_tasks ? blocks - 1 - i : i;
      enter(block);
      run(program_.body, program_.is_gpu ? Lanes(all_lanes_) : Lanes(all_lanes_).first(1));
    }
  }

 private:
  Column column(Slot slot) { return {program_.words.data() + slot.offset, slot.shift}; }

  // Fills the axes inside a block, row-major, and returns how many blocks (or tasks) there are.
  int64_t number_threads() {
    int64_t blocks = 1;
    uint32_t inner = program_.width >> program_.thread_shift;
    for (const ParallelAxis& axis : program_.parallel) {
      if (axis.slot.is_uniform() || axis.extent == 0) {
        blocks *= axis.extent;
        continue;
      }
      const auto extent = static_cast<uint32_t>(axis.extent);
      inner /= extent;
      const Column words = column(axis.slot);
      for (const uint32_t lane : all_lanes_) {
        words[lane].integer = (lane >> program_.thread_shift) / inner % extent;
      }
    }
    return blocks;
  }

  void enter(int64_t block) {
    memory_.start(block);
    for (size_t i = program_.parallel.size(); i-- > 0;) {
      const ParallelAxis& axis = program_.parallel[i];
      if (!axis.slot.is_uniform()) continue;
      program_.words[axis.slot.offset].integer = block % axis.extent;
      block /= axis.extent;
    }
  }

  void run(const Actions& actions, Lanes lanes) {
    if (lanes.empty()) return;
    for (const Action& action : actions) {
      std::visit([&](const auto& kind) { run(kind, lanes); }, action.kind);
    }
  }

  void run(const Evaluate& evaluate, Lanes lanes) {
    run_expression(evaluate.code, lanes);
    calculate(evaluate.move, program_.words.data(), lanes, counts_.status);
  }

  void run(const RunIf& branch, Lanes lanes) {
    run_expression(branch.code, lanes);
    const Column condition = column(branch.condition);
    run(branch.body, lanes_where(lanes, condition, true));
  }

  void run(const Accumulate& accumulate, Lanes lanes) {
    const Column into = column(accumulate.into);
    const Column operand = column(accumulate.operand);
    if (accumulate.factor) {
      const Column factor = column(*accumulate.factor);
      for (const uint32_t lane : lanes) {
        into[lane] = fused(accumulate.dtype, operand[lane], factor[lane], into[lane]);
      }
      return;
    }
    for (const uint32_t lane : lanes) {
      into[lane] = combined(accumulate.combine, accumulate.dtype, into[lane], operand[lane]);
    }
  }

  void run(const StoreElement& store, Lanes lanes) {
    run_expression(store.code, lanes);
    memory_.store(store.buffer, lanes, column(store.index), column(store.value), store.type);
  }

  void run(const CopyElement& copy, Lanes lanes) {
    run_expression(copy.code, lanes);
    run_expression(copy.from_code, lanes);
    memory_.async_copy({copy.buffer, column(copy.index)}, {copy.from, column(copy.from_index)},
                       lanes);
  }
  void run(const WaitForCopies& wait, Lanes lanes) { memory_.wait_copies(lanes, wait.pending); }

  void run(const BulkCopyElements& copy, Lanes lanes) {
    run_expression(copy.first_code, lanes);
    run_expression(copy.count_code, lanes);
    memory_.bulk_copy(copy.buffer, copy.from, lanes, column(copy.first), column(copy.count));
  }

  void run(const Synchronize&, Lanes lanes) {
    check_all_reach("a barrier", lanes);
    counts_.barriers += program_.blocks;
    memory_.order();
  }
  void check_all_reach(const char* what, Lanes lanes) const {
    if (lanes.size() == all_lanes_.size()) return;
    throw_error({.op = kernel_.name,
                 .expected = concat(what, " that all threads of the block reach"),
                 .given = concat(lanes.size(), " of ", all_lanes_.size())});
  }

  void run(const Exchange& exchange, Lanes lanes) {
    check_all_reach("a collective reduction", lanes);
    counts_.exchanges += program_.blocks;
    const Column value = column(exchange.value);
    const auto combine = [&](std::span<Word> words) {
      return combined(exchange.combine, exchange.dtype, words);
    };
    const size_t collective = size_t{exchange.threads} * exchange.blocks;
    for (size_t first = 0; first < lanes.size(); first += collective) {
      const Lanes run = lanes.subspan(first, collective);
      std::vector<Word> blocks, warps, words;
      for (size_t i = 0; i < run.size(); ++i) {
        words.push_back(value[run[i]]);
        const size_t threads = i % exchange.threads + 1;  // of this block so far
        const bool ends_block = threads == exchange.threads;
        if (threads % kWarpSize == 0 || ends_block) {
          warps.push_back(combine(words));
          words.clear();
        }
        if (!ends_block) continue;
        blocks.push_back(combine(warps));
        warps.clear();
      }
      const Word all = combine(blocks);
      for (const uint32_t lane : run) value[lane] = all;
    }
  }

  void run(const RunLoop& loop, Lanes lanes) {
    run_expression(loop.code, lanes);
    if (loop.is_vector) return program_.is_gpu ? run_wide(loop, lanes) : run_vector(loop);
    const Column extent = column(loop.extent);
    int64_t longest = 0;
    int64_t shortest = extent[lanes[0]].integer;
    for (const uint32_t lane : lanes) {
      longest = std::max(longest, extent[lane].integer);
      shortest = std::min(shortest, extent[lane].integer);
    }
    if (longest > std::max<int64_t>(shortest, 0)) count_uneven_warps(lanes, extent);
    for (int64_t i = 0; i < longest; ++i) {
      program_.words[loop.axis.offset].integer = i;
      if (i < shortest) {
        run(loop.body, lanes);
        continue;
      }
      std::vector<uint32_t> longer;
      for (const uint32_t lane : lanes) {
        if (i < extent[lane].integer) longer.push_back(lane);
      }
      run(loop.body, longer);
    }
  }

  // Runs as many iterations at a time as there are lanes; the last time may leave some out.
  void run_vector(const RunLoop& loop) {
    const int64_t extent = column(loop.extent)[0].integer;
    const Column axis = column(loop.axis);
    for (const Partial& partial : loop.partials) {
      for (const uint32_t lane : all_lanes_) {
        column(partial.partial)[lane] = identity(partial.combine, partial.dtype);
      }
    }
    memory_.order();
    for (int64_t i = 0; i < extent; i += program_.width) {
      const int64_t count = std::min<int64_t>(program_.width, extent - i);
      for (const uint32_t lane : all_lanes_) axis[lane].integer = i + lane;
      memory_.set_first_thread(i);
      run(loop.body, Lanes(all_lanes_).first(static_cast<size_t>(count)));
    }
    memory_.set_first_thread(0);
    memory_.order();
    for (const Partial& partial : loop.partials) {
      Word& var = program_.words[partial.var.offset];
      for (const uint32_t lane : all_lanes_) {
        var = combined(partial.combine, partial.dtype, var, column(partial.partial)[lane]);
      }
    }
  }

  // On a GPU: all iterations at once, each in a lane of its thread.
  void run_wide(const RunLoop& loop, Lanes threads) {
    const auto extent = static_cast<uint32_t>(column(loop.extent)[0].integer);
    const Column axis = column(loop.axis);
    std::vector<uint32_t> lanes;
    for (const uint32_t thread : threads) {
      for (uint32_t i = 0; i < extent; ++i) {
        axis[thread + i].integer = i;
        lanes.push_back(thread + i);
      }
    }
    for (const Partial& partial : loop.partials) {
      for (const uint32_t lane : lanes) {
        column(partial.partial)[lane] = identity(partial.combine, partial.dtype);
      }
    }
    memory_.start_vector(extent);
    run(loop.body, lanes);
    memory_.end_vector();
    for (const Partial& partial : loop.partials) {
      for (const uint32_t thread : threads) {
        const std::span<Word> words(&column(partial.partial)[thread], extent);
        Word& var = column(partial.var)[thread];
        var = combined(partial.combine, partial.dtype, var,
                       combined(partial.combine, partial.dtype, words));
      }
    }
  }

  void run_expression(Range code, Lanes lanes) { runner_.run(code, lanes); }
  std::vector<uint32_t> lanes_where(Lanes lanes, Column condition, bool value) {
    return runner_.lanes_where(lanes, condition, value);
  }

  friend class CodeRunner<Machine>;
  void load(const Instruction& instruction, Lanes lanes) {
    const Column dest = column(instruction.dest);
    memory_.load(instruction.buffer, lanes, column(instruction.args[0]), dest);
    if (!instruction.rounds_to_f32 ||
        kernel_.buffers[static_cast<size_t>(instruction.buffer)].dtype != f64) {
      return;
    }
    for (const uint32_t lane : lanes) dest[lane].real = static_cast<float>(dest[lane].real);
  }

  // In a vector loop, warps of which threads disagree in the same iteration.
  void count_uneven_warps(Lanes lanes, Column words) {
    if (!program_.is_gpu) return;
    const uint32_t warp_lanes = kWarpSize * lanes_of_thread_;
    for (size_t i = 0; i < lanes.size();) {
      const uint32_t warp = lanes[i] / warp_lanes;
      std::vector<std::optional<int64_t>> first(lanes_of_thread_);
      bool is_uneven = false;
      for (; i < lanes.size() && lanes[i] / warp_lanes == warp; ++i) {
        std::optional<int64_t>& same = first[lanes[i] % lanes_of_thread_];
        if (!same) same = words[lanes[i]].integer;
        is_uneven |= words[lanes[i]].integer != *same;
      }
      counts_.divergent_warps += is_uneven ? 1 : 0;
    }
  }

  const Kernel& kernel_;
  Bytecode program_;
  Memory& memory_;
  const Options& options_;
  Counts& counts_;
  uint32_t lanes_of_thread_;
  std::vector<uint32_t> all_lanes_;  // on a GPU: the first lane of each thread
  CodeRunner<Machine> runner_;
};

}  // namespace

Counts run(const Kernel& kernel, std::span<void* const> buffers, std::span<const int64_t> sizes,
           const Options& options) {
  verify(kernel);
  RIDGE_INTERNAL_CHECK(
      buffers.size() == kernel.argument_count() && sizes.size() == kernel.sizes.size(),
      concat(kernel.name, " given ", buffers.size(), " buffers and ", sizes.size(), " sizes"));
  RIDGE_INTERNAL_CHECK(options.lanes > 0 && options.line_bytes > 0, "lanes and lines of some size");
  if (kernel.has_tiles()) return run_tiles(kernel, buffers, sizes, options);
  Counts counts;
  Bytecode program = compile(kernel, sizes, options.lanes);
  Memory memory(kernel, buffers, sizes, options, program, counts);
  Machine(kernel, std::move(program), memory, options, counts).run();
  return counts;
}

}  // namespace ridge::loop
