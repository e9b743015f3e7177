#include "ridge/codegen/llvm/block_loop.h"

#include <bit>

#include "ridge/codegen/llvm/block_scales.h"
#include "ridge/codegen/llvm/body_weight.h"
#include "ridge/codegen/llvm/partials.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen {
namespace {

constexpr unsigned kVectors = 4;  // of a round
// Rows whose sums, a register for each vector of a round, leave half of 32 registers for the rest.
constexpr unsigned kRows = 4;
// Heavier bodies need more registers than are left, and were slower: Q4_1 weighs 47, Q5_0 55.
constexpr int kHeaviestOfRows = 50;
// Rounds whose scales are converted beforehand. More fill no cache, but serve short rows no better.
constexpr int64_t kStrip = 8;

class BlockLoopEmitter {
 public:
  BlockLoopEmitter(Emission& emission, const BlockLoop& blocks, std::span<Frame> rows)
      : emission_(emission),
        blocks_(blocks),
        loop_(*blocks.loop),
        rows_(rows),
        scales_(loop_, emission.kernel, blocks.lanes, blocks.round) {}

  void emit() {
    Value* extent = emit_uniform(emission_, loop_.extent);
    for_each_row([&](size_t) {
      enter_vector_loop(emission_.frame, loop_, blocks_.lanes);
      partials_.emplace_back(emission_, loop_.body, kVectors);
    });
    Value* size = b().getInt64(static_cast<uint64_t>(blocks_.round));
    Value* rounds = b().CreateUDiv(extent, size);
    if (rows_.size() > 1 && scales_.count() > 0) {
      emit_strips(rounds);
    } else {
      emit_counted_loop(emission_, b().getInt64(0), rounds, 1,
                        [&](Value* round) { emit_round(round, nullptr); });
    }
    Value* done = b().CreateMul(rounds, size);
    for_each_row([&](size_t row) {
      Frame& frame = emission_.frame;
      partials_[row].use(0);
      frame.round = {};
      frame.prefetches = false;
      frame.scales.clear();
      emit_masked_rounds(emission_, loop_, done, extent);
      leave_vector_loop(frame);
      partials_[row].finish();
    });
  }

 private:
  Builder& b() { return emission_.builder(); }

  template <class Body>
  void for_each_row(Body&& body) {
    for (size_t row = 0; row < rows_.size(); ++row) {
      std::swap(emission_.frame, rows_[row]);
      body(row);
      std::swap(emission_.frame, rows_[row]);
    }
  }

  void emit_strips(Value* rounds) {
    const unsigned of_round = static_cast<unsigned>(rows_.size()) * scales_.count();
    llvm::AllocaInst* memory =
        stack_slot(emission_, b().getFloatTy(), "scales", of_round * unsigned{kStrip});
    emit_counted_loop(emission_, b().getInt64(0), rounds, kStrip, [&](Value* begin) {
      Value* end = b().CreateNSWAdd(begin, b().getInt64(kStrip));
      end = b().CreateSelect(b().CreateICmpSLT(end, rounds), end, rounds);
      const auto scales_of = [&](Value* round) {
        Value* first = b().CreateMul(b().CreateSub(round, begin), b().getInt64(of_round));
        return b().CreateInBoundsGEP(b().getFloatTy(), memory, first);
      };
      emit_counted_loop(emission_, begin, end, 1, [&](Value* round) {
        Value* scales = scales_of(round);
        for_each_row([&](size_t row) { scales_.convert(emission_, round, of_row(scales, row)); });
      });
      emit_counted_loop(emission_, begin, end, 1,
                        [&](Value* round) { emit_round(round, scales_of(round)); });
    });
  }

  Value* of_row(Value* scales, size_t row) {
    return b().CreateConstInBoundsGEP1_64(b().getFloatTy(), scales, row * scales_.count());
  }

  // Block by block; `scales` are those of all rows in this round, null where they are not converted yet.
  void emit_round(Value* round, Value* scales) {
    Value* first = b().CreateMul(round, b().getInt64(static_cast<uint64_t>(blocks_.round)));
    const int64_t block = std::min(blocks_.block, blocks_.round);
    for (int64_t begin = 0; begin < blocks_.round; begin += block) {
      for_each_row([&](size_t row) {
        for (int64_t offset = begin; offset < begin + block; offset += blocks_.lanes) {
          Frame& frame = emission_.frame;
          partials_[row].use(static_cast<unsigned>(offset / blocks_.lanes));
          frame.round = {.number = round, .size = blocks_.round, .offset = offset};
          // The other vectors of a block read the same lines.
          frame.prefetches = offset % blocks_.block == 0;
          if (scales != nullptr) scales_.use(emission_, offset, of_row(scales, row));
          emit_at(emission_, loop_,
                  b().CreateAdd(first, b().getInt64(static_cast<uint64_t>(offset))), nullptr);
        }
      });
    }
  }

  Emission& emission_;
  const BlockLoop& blocks_;
  const loop::Loop& loop_;
  std::span<Frame> rows_;
  BlockScales scales_;
  std::vector<Partials> partials_;  // by row
};

// The one loop of a task that is a sum over blocks, nothing if there are others.
const loop::Loop* only_loop(const loop::Body& task) {
  const loop::Loop* only = nullptr;
  for (const loop::Statement& statement : task) {
    if (const auto* loop = std::get_if<loop::Loop>(&statement.kind)) {
      if (only != nullptr) return nullptr;
      only = loop;
    } else if (loop::body_of(statement) != nullptr) {
      return nullptr;
    }
  }
  return only;
}

bool is_one_sum(const loop::Body& body) {
  int sums = 0;
  for (const loop::Statement& statement : body) {
    if (std::holds_alternative<loop::Reduce>(statement.kind)) {
      ++sums;
    } else if (!std::holds_alternative<loop::Let>(statement.kind)) {
      return false;
    }
  }
  return sums == 1;
}

bool holds_axis(const Expr& e, int axis) {
  bool holds = false;
  expr::walk(e, [&](const Expr& node) {
    holds |=
        node->kind == expr::Kind::input || (node->kind == expr::Kind::axis && node->index == axis);
  });
  return holds;
}

}  // namespace

std::optional<BlockLoop> find_blocks(const loop::Loop& loop, const loop::Kernel& kernel,
                                     const CpuTarget& target) {
  const unsigned lanes =
      static_cast<unsigned>(target.vector_bytes / (weigh(loop.body, kernel).has_f32 ? 4 : 8));
  int64_t block = 0;  // the largest power of two that the axis is divided by
  visit_statements(loop.body, [&](const loop::Statement& statement) {
    loop::for_each_expression(statement, [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        const bool divides =
            is_call(node, expr::Function::floor_div) || is_call(node, expr::Function::mod);
        if (!divides || node->args[0]->kind != expr::Kind::axis) return;
        if (node->args[0]->index != loop.axis || !expr::is_constant(node->args[1])) return;
        const int64_t by = node->args[1]->integer;
        const bool fits = by > lanes && std::has_single_bit(static_cast<uint64_t>(by));
        if (fits) block = std::max(block, by);
      });
    });
  });
  if (block == 0) return std::nullopt;
  return BlockLoop{&loop, lanes, block, int64_t{lanes} * kVectors};
}

void emit_block_loop(Emission& emission, const BlockLoop& blocks, std::span<Frame> rows) {
  BlockLoopEmitter(emission, blocks, rows).emit();
}

unsigned rows_at_once(const loop::Body& task, int axis, const loop::Kernel& kernel,
                      const CpuTarget& target) {
  const bool has_32_registers = target.vector_bytes == 64;
  const loop::Loop* loop = only_loop(task);
  if (!has_32_registers || loop == nullptr || loop->place != loop::Place::vector) return 1;
  if (!is_one_sum(loop->body) || holds_axis(loop->extent, axis)) return 1;
  if (weigh(loop->body, kernel).total() > kHeaviestOfRows) return 1;
  const auto blocks = find_blocks(*loop, kernel, target);
  if (!blocks || BlockScales(*loop, kernel, blocks->lanes, blocks->round).count() == 0) return 1;
  return kRows;
}

void emit_rows(Emission& emission, const loop::Body& task, int axis, unsigned count) {
  Builder& b = emission.builder();
  std::vector<Frame> rows(count, emission.frame);
  for (unsigned row = 0; row < count; ++row) {
    rows[row].row_axis = axis;
    rows[row].rows = count;
    Value*& index = rows[row].axes[static_cast<size_t>(axis)];
    index = b.CreateNSWAdd(index, b.getInt64(row));
  }
  for (const loop::Statement& statement : task) {
    if (const auto* loop = std::get_if<loop::Loop>(&statement.kind)) {
      emit_block_loop(emission, *find_blocks(*loop, emission.kernel, emission.code.target), rows);
      continue;
    }
    for (Frame& row : rows) {
      std::swap(emission.frame, row);
      emit_body(emission, {statement});
      std::swap(emission.frame, row);
    }
  }
}

}  // namespace ridge::codegen
