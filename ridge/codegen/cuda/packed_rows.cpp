#include "ridge/codegen/cuda/packed_rows.h"

#include <algorithm>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/vector_part.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Kind;

class PackedBuffers {
 public:
  explicit PackedBuffers(const loop::Kernel& kernel)
      : kernel_(kernel), reads_(reads_of(kernel.body, kernel.values.size())) {
    for (const loop::Buffer& buffer : kernel.buffers) {
      is_packed_.push_back(buffer.space == loop::Space::local && is_16_bit_float(buffer.dtype));
    }
  }

  std::vector<bool> run() {
    // One that is copied from another stays packed only if that one does.
    for (std::vector<bool> before; before != is_packed_;) {
      before = is_packed_;
      scan(kernel_.body, nullptr);
    }
    return std::move(is_packed_);
  }

 private:
  void scan(const loop::Body& body, const loop::Loop* lanes) {
    for (size_t i = 0; i < body.size(); ++i) {
      const loop::Statement* const before = i > 0 ? &body[i - 1] : nullptr;
      look_at(body[i], before, lanes);
      if (const auto* const loop = as<loop::Loop>(body[i])) {
        scan(loop->body, loop->place == loop::Place::vector ? loop : lanes);
      } else if (const auto* const branch = as<loop::If>(body[i])) {
        const bool is_lost = lanes != nullptr && !is_flat(branch->then);
        scan(branch->then, is_lost ? nullptr : lanes);
      } else if (const auto* const contract = as<loop::Contract>(body[i])) {
        scan(contract->body, nullptr);
      }
    }
  }

  void look_at(const loop::Statement& statement, const loop::Statement* before,
               const loop::Loop* lanes) {
    if (const auto* const store = as<loop::Store>(statement)) {
      const bool is_copy = before != nullptr && lanes != nullptr &&
                           copied_load(is_packed_, *before, statement) != nullptr &&
                           can_copy(*as<loop::Let>(*before), *store) &&
                           is_whole(store->index, *lanes);
      if (!is_copy) is_packed_[static_cast<size_t>(store->buffer)] = false;
    }
    for_each_expression(statement, [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        if (node->kind != Kind::load) return;
        const auto* const let = as<loop::Let>(statement);
        const bool is_whole_expression = let != nullptr && let->expression.get() == node.get();
        if (is_whole_expression && lanes != nullptr && is_whole(node->args[0], *lanes)) return;
        is_packed_[static_cast<size_t>(node->index)] = false;
      });
    });
  }

  // As it lies in memory, and for nobody else.
  bool can_copy(const loop::Let& let, const loop::Store& store) const {
    const loop::Buffer& from = kernel_.buffers[static_cast<size_t>(let.expression->index)];
    const loop::Buffer& to = kernel_.buffers[static_cast<size_t>(store.buffer)];
    const bool is_packed = is_packed_[static_cast<size_t>(let.expression->index)];
    const bool is_memory = from.space == loop::Space::shared ||
                           (from.space == loop::Space::global && from.access == loop::Access::in);
    return from.dtype == to.dtype && (is_memory || is_packed) &&
           reads_[static_cast<size_t>(let.value)] == 1;
  }

  // One element for each lane, from a multiple of their number on.
  bool is_whole(const Expr& index, const loop::Loop& lanes) const {
    const auto affine = expr::as_affine(index, kernel_.axis_count);
    if (!affine) return false;
    const int64_t count = lanes.extent->integer;
    const auto divides = [&](const Expr& e) {
      return expr::is_constant(e) && e->integer % count == 0;
    };
    for (int i = 0; i < kernel_.axis_count; ++i) {
      const Expr step = expr::simplify(affine->coefficients[static_cast<size_t>(i)]);
      if (i == lanes.axis ? !expr::is_constant(step, 1) : !divides(step)) return false;
    }
    return divides(expr::simplify(affine->constant));
  }

  const loop::Kernel& kernel_;
  std::vector<int> reads_;
  std::vector<bool> is_packed_;
};

// A loop over rows, not along one: its iterations have reductions or wait for copies.
bool is_row_loop(const loop::Loop& loop) {
  return loop.place == loop::Place::serial &&
         std::ranges::any_of(loop.body, [](const loop::Statement& statement) {
           return as<loop::CollectiveReduce>(statement) != nullptr ||
                  as<loop::WaitCopies>(statement) != nullptr;
         });
}

struct LocalUse {
  bool is_filled = false, is_read = false;  // in a loop over rows
};

void note_uses(const loop::Body& body, bool is_in_row_loop, std::vector<LocalUse>& uses) {
  for (const loop::Statement& statement : body) {
    const auto* const store = as<loop::Store>(statement);
    if (store != nullptr) uses[static_cast<size_t>(store->buffer)].is_filled |= is_in_row_loop;
    for_each_expression(statement, [&](const Expr& e) {
      expr::walk(e, [&](const Expr& node) {
        if (node->kind != Kind::load) return;
        uses[static_cast<size_t>(node->index)].is_read |= is_in_row_loop;
      });
    });
    if (const auto* const loop = as<loop::Loop>(statement)) {
      note_uses(loop->body, is_in_row_loop || is_row_loop(*loop), uses);
    } else if (const auto* const branch = as<loop::If>(statement)) {
      note_uses(branch->then, is_in_row_loop, uses);
    }
  }
}

}  // namespace

std::vector<bool> row_invariant_buffers(const loop::Kernel& kernel) {
  std::vector<LocalUse> uses(kernel.buffers.size());
  note_uses(kernel.body, false, uses);
  std::vector<bool> result;
  for (size_t i = 0; i < uses.size(); ++i) {
    const bool is_local = kernel.buffers[i].space == loop::Space::local;
    result.push_back(is_local && uses[i].is_read && !uses[i].is_filled);
  }
  return result;
}

std::vector<bool> packed_buffers(const loop::Kernel& kernel) { return PackedBuffers(kernel).run(); }

const loop::Let* copied_load(const std::vector<bool>& is_packed, const loop::Statement& before,
                             const loop::Statement& statement) {
  const auto* const let = as<loop::Let>(before);
  const auto* const store = as<loop::Store>(statement);
  if (let == nullptr || store == nullptr || store->value != let->value) return nullptr;
  if (!is_packed[static_cast<size_t>(store->buffer)]) return nullptr;
  return let->expression->kind == Kind::load && !let->rounds ? let : nullptr;
}

}  // namespace ridge::codegen::cuda
