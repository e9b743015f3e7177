// Registration of op records, and the list of families.
//
// `registry()` registers all families on first use, through one explicit list of calls; more
// records can be added at run time. Each record is checked when it is added: it has exactly one
// definition, its schema parses, its names are free. Records live as long as the process.
#pragma once

#include <deque>
#include <mutex>
#include <string_view>
#include <vector>

#include "ridge/ops/record.h"

namespace ridge::ops {

class Registry {
 public:
  // Adds the op, and its in-place form `name_` where the traits give it one.
  const OpRecord& add(OpRecord record, Location where = Location::current());

  std::vector<const OpRecord*> all() const;         // by name
  const OpRecord& at(std::string_view name) const;  // Error{unknown_name}, did you mean
  // The pointwise op whose body is this function of its operands, in order; null if there is none.
  // Derivatives of bodies are expressions, and become op calls by this.
  const OpRecord* op_for(expr::Function function) const;

 private:
  mutable std::mutex mutex_;
  std::deque<OpRecord> records_;  // addresses stay
  std::array<const OpRecord*, expr::kFunctionCount> by_function_{};
};

Registry& registry();

// The operator of that name, after all families are registered. Callables keep the reference.
const dispatch::Operator& find_op(std::string_view name);

// The families, one file each.
void register_arithmetic(Registry& ops);
void register_comparison(Registry& ops);
void register_unary(Registry& ops);
void register_activation(Registry& ops);
void register_creation(Registry& ops);
void register_reduction(Registry& ops);
void register_matmul(Registry& ops);
void register_view(Registry& ops);
void register_slice_scatter(Registry& ops);
void register_strided(Registry& ops);
void register_join(Registry& ops);
void register_indexing(Registry& ops);
void register_softmax(Registry& ops);
void register_normalization(Registry& ops);
void register_loss(Registry& ops);
void register_attention(Registry& ops);
void register_window(Registry& ops);
void register_convolution(Registry& ops);
void register_scan(Registry& ops);
void register_sorting(Registry& ops);
void register_random(Registry& ops);
void register_dequantize(Registry& ops);

}  // namespace ridge::ops
