// Runs the code of expressions on the active lanes of a bytecode's registers.
//
//   CodeRunner runner(program, words, status, host);
//   runner.run(code, lanes);          host.load(instruction, lanes) for the elements of buffers,
//                                     host.count_uneven_warps(lanes, condition) where lanes disagree
#pragma once

#include <utility>
#include <vector>

#include "ridge/loop/bytecode.h"
#include "ridge/loop/memory.h"

namespace ridge::loop {

template <class Host>
class CodeRunner {
 public:
  CodeRunner(const Bytecode& program, Word* words, KernelStatus& status, Host& host)
      : program_(program),
        words_(words),
        status_(status),
        host_(host),
        last_run_(static_cast<size_t>(program.once_count) * program.width) {}

  void run(Range code, Lanes lanes) {
    ++run_number_;
    run_code(code, lanes);
  }

  std::vector<uint32_t> lanes_where(Lanes lanes, Column condition, bool value) {
    std::vector<uint32_t> list;
    list.reserve(lanes.size());
    for (const uint32_t lane : lanes) {
      if ((condition[lane].integer != 0) == value) list.push_back(lane);
    }
    // Asked once with `true` for each branch, so each is counted once.
    if (value && !list.empty() && list.size() < lanes.size()) {
      host_.count_uneven_warps(lanes, condition);
    }
    return list;
  }

  Column column(Slot slot) const { return {words_ + slot.offset, slot.shift}; }

 private:
  void run_code(Range code, Lanes lanes) {
    if (lanes.empty()) return;
    for (uint32_t at = code.begin; at < code.end;) {
      const Instruction& instruction = program_.code[at];
      switch (instruction.operation) {
        case Operation::load: host_.load(instruction, lanes); break;
        case Operation::select: {
          const Column condition = column(instruction.args[0]);
          run_code({at + 1, instruction.range.begin}, lanes_where(lanes, condition, true));
          run_code(instruction.range, lanes_where(lanes, condition, false));
          at = instruction.range.end;
          continue;
        }
        case Operation::once: run_code(instruction.range, newcomers(instruction, lanes)); break;
        case Operation::call:
        case Operation::copy:
        case Operation::integer_to_real:
        case Operation::real_to_integer:
        case Operation::integer_to_boolean:
        case Operation::real_to_boolean:
        case Operation::round: calculate(instruction, words_, lanes, status_); break;
      }
      ++at;
    }
  }

  std::vector<uint32_t> newcomers(const Instruction& once, Lanes lanes) {
    int64_t* const last_run = last_run_.data() + static_cast<size_t>(once.buffer) * program_.width;
    std::vector<uint32_t> list;
    for (const uint32_t lane : lanes) {
      if (std::exchange(last_run[lane], run_number_) != run_number_) list.push_back(lane);
    }
    return list;
  }

  const Bytecode& program_;
  Word* words_;
  KernelStatus& status_;
  Host& host_;
  std::vector<int64_t> last_run_;  // of each `once` and lane
  int64_t run_number_ = 0;         // of the expression being evaluated
};

}  // namespace ridge::loop
