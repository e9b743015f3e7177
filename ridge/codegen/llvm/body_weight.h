// How much code the body of a vector loop is, and how many lanes suit it.
//
// More lanes than one register holds are several registers that do not wait for each other. That
// hides latency in short bodies (a sum adds into four registers in turn), and costs registers and
// compile time in long ones.
//
//   sum of x[i]: 1 load            -> 4 registers: 64 lanes of f32 with AVX-512
//   gelu: some 40 operations       -> 1 register:  16 lanes
#pragma once

#include <optional>

#include "ridge/codegen/llvm/generate.h"

namespace ridge::codegen {

struct BodyWeight {
  int operations = 0;          // functions, loads and stores
  int calls = 0;               // elementary functions: some 20 operations each
  int wide = 0;                // operations on 64-bit lanes
  bool has_f32 = false;        // else 64-bit lanes are all there is
  bool has_reduction = false;  // into a var

  int total() const { return operations + 20 * calls + 2 * wide; }
  // Whether one copy under a mask is better than two, one of them without.
  bool is_heavy(const CpuTarget& target) const;
};

BodyWeight weigh(const loop::Body& body, const loop::Kernel& kernel);

// The most an extent can be, if that is known: 64 for min(64, n - 64 * i0).
std::optional<int64_t> longest(const expr::Expr& extent);

unsigned choose_lanes(const CpuTarget& target, const BodyWeight& weight,
                      std::optional<int64_t> longest_extent);

// Every statement of a body, outer ones first.
template <class Visit>
void visit_statements(const loop::Body& body, Visit&& visit) {
  for (const loop::Statement& statement : body) {
    visit(statement);
    if (const auto* inner = std::get_if<loop::Loop>(&statement.kind)) {
      visit_statements(inner->body, visit);
    } else if (const auto* branch = std::get_if<loop::If>(&statement.kind)) {
      visit_statements(branch->then, visit);
    } else if (const auto* contract = std::get_if<loop::Contract>(&statement.kind)) {
      visit_statements(contract->body, visit);
    }
  }
}

}  // namespace ridge::codegen
