// Attention: the traffic of the two ways to compute it.
//
// With H heads, S queries, T keys, head size D, for each head:
//   naive   three kernels: Q K^T writes S x T scores; softmax reads and writes them; P V reads them
//   flash   one kernel: Q and the output once; K and V once for each block of query rows, unless
//           those of a head stay in L2, in which case memory sends them once. Under a causal mask
//           a block reads the keys it sees, on average about half of them
//
// Heads of queries that share a head of keys and values are taken as packed: a block has rows of all
// of them, so that K and V are read once for each such group and not once for each head of queries.
#pragma once

#include "ridge/cost/roofline/estimate.h"
#include "ridge/cost/roofline/query.h"
#include "ridge/cost/roofline/rates.h"

namespace ridge::cost {

struct AttentionShape {
  double batch = 1, heads = 1, kv_heads = 1, queries = 1, keys = 1, head_size = 1;
  bool is_causal = false;
  // Scores that count: with a causal mask the last query sees all keys, the one before one less.
  double scores() const;
  // How often all blocks of `query_rows` queries together read the keys: 2.5 where they read 2.5
  // times as many as there are, as the first of four blocks under a mask reads a quarter.
  double passes(double query_rows) const;
};

struct AttentionRates {
  Rate matrix, memory;
  std::optional<Rate> vector, special;  // of f32, where the sheet has them
  std::optional<double> l2_bytes;
};
AttentionRates attention_rates(Rates& rates, ElementType type);

// Times that K and V of a head come from memory.
double passes_over_keys(const AttentionShape& shape, const AttentionRates& rates, ElementType type,
                        double query_rows);

std::vector<Part> naive_attention(const AttentionShape& shape, const AttentionRates& rates,
                                  ElementType type);
Part flash_attention(const AttentionShape& shape, const AttentionRates& rates, ElementType type,
                     double query_rows);

}  // namespace ridge::cost
