// What `ridge products` says: a JSON object for each product, which a child process hands to its parent as a line,
// and the table that is made of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "product_measure.h"
#include "product_rank.h"

namespace ridge::command {

nlohmann::json to_json(const ProductResult& result);
nlohmann::json to_json(const RankedProduct& ranked);
nlohmann::json failed_product(const ProductCase& product, const std::string& error);

std::string product_table_head();
std::string product_table_row(const nlohmann::json& result, const ProductGoal& goal);
// "16384x3072x768:tn  121.3 us, predicted 118.0; product wgmma ..., and a line for each other mapping."
std::string ranked_text(const nlohmann::json& ranked);

// Whether what was measured is what is wanted; true where nothing is, false where it failed.
bool meets(const nlohmann::json& result, const ProductGoal& goal);

// The median ratio of the products that count for one: what is printed, and whether it is what is wanted.
struct MedianRatio {
  int products = 0;
  double ratio = 0;
  bool holds() const { return products == 0 || ratio >= 1; }
  std::string to_text() const;  // empty where there are none
};
MedianRatio median_ratio(const std::vector<nlohmann::json>& results,
                         const std::vector<ListedProduct>& products);

// Shares of the products drawn: predicted closely, and pairs of mappings ranked as measured.
struct RankShares {
  int products = 0, close = 0, failed = 0;
  int pairs = 0, right = 0;
  std::vector<std::string> wrong{};  // a line for each pair ranked wrongly
  bool holds() const;
};
RankShares rank_shares(const std::vector<nlohmann::json>& ranked);
std::string to_text(const RankShares& shares);

}  // namespace ridge::command
