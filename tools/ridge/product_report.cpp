#include "product_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ridge/base/text.h"

namespace ridge::command {
namespace {

using Json = nlohmann::json;

constexpr double kMostError = 0.25, kCloseWanted = 0.80;
constexpr double kTellApart = 0.15, kRankedWanted = 0.90;

double number(const Json& object, const char* key) { return object.value(key, 0.0); }
std::string word(const Json& object, const char* key) { return object.value(key, std::string()); }

bool has_times(const Json& result) { return number(result, "ours_us") > 0; }

// What a fused product takes more than the plain one, as a share; nothing of other products.
std::optional<double> added_share(const Json& result) {
  for (const Json& peer : result.value("peers", Json::array())) {
    if (word(peer, "name") == "ours plain") {
      return number(result, "ours_us") / number(peer, "us") - 1;
    }
  }
  return std::nullopt;
}

std::string goal_text(const Json& result, const ProductGoal& goal) {
  if (goal.of == ProductGoal::Of::none) return "";
  const char* verdict = !has_times(result) ? "" : meets(result, goal) ? " met" : " NOT met";
  return to_text(goal) + verdict;
}

std::string how_text(const Json& result) {
  std::string text = result.value("is_mapped", false) ? "" : "not in tiles: ";
  text += word(result, "mapping");
  if (const std::string note = word(result, "note"); !note.empty()) text += "; " + note;
  if (const auto added = added_share(result)) {
    text += fmt::format("; {:+.1f} % over plain", 100 * *added);
  }
  return text;
}

bool is_right_pair(const Json& a, const Json& b) {
  const bool is_measured = number(a, "us") < number(b, "us");
  const bool is_predicted = number(a, "predicted_us") < number(b, "predicted_us");
  return is_measured == is_predicted;
}

bool differ(const Json& a, const Json& b) {
  const double x = number(a, "us"), y = number(b, "us");
  return std::max(x, y) > (1 + kTellApart) * std::min(x, y);
}

std::string pair_text(const std::string& product, const Json& a, const Json& b) {
  return fmt::format("{}: {:.1f} us (predicted {:.1f}) {} | {:.1f} us (predicted {:.1f}) {}",
                     product, number(a, "us"), number(a, "predicted_us"), word(a, "mapping"),
                     number(b, "us"), number(b, "predicted_us"), word(b, "mapping"));
}

// A mapping that fails is a pair ranked wrongly.
void add_pairs(RankShares& shares, const std::string& product, const Json& ways) {
  for (size_t i = 0; i < ways.size(); ++i) {
    if (const std::string error = word(ways[i], "error"); !error.empty()) {
      ++shares.pairs;
      shares.wrong.push_back(concat(product, ": ", word(ways[i], "mapping"), ": ", error));
      continue;
    }
    for (size_t j = i + 1; j < ways.size(); ++j) {
      if (!word(ways[j], "error").empty() || !differ(ways[i], ways[j])) continue;
      ++shares.pairs;
      if (is_right_pair(ways[i], ways[j])) {
        ++shares.right;
      } else {
        shares.wrong.push_back(pair_text(product, ways[i], ways[j]));
      }
    }
  }
}

double share(int part, int all) { return all == 0 ? 1 : static_cast<double>(part) / all; }

}  // namespace

Json failed_product(const ProductCase& product, const std::string& error) {
  return {{"product", to_text(product)}, {"error", error}};
}

Json to_json(const ProductResult& r) {
  if (!r.error.empty()) return failed_product(r.product, r.error);
  Json json{{"product", to_text(r.product)},
            {"m", r.product.m},
            {"n", r.product.n},
            {"k", r.product.k},
            {"predicted_us", 1e6 * r.plan.predicted},
            {"floor_us", 1e6 * r.plan.floor},
            {"kernels", r.plan.kernels},
            {"is_mapped", r.plan.is_mapped},
            {"mapping", r.plan.mapping},
            {"kernel", r.plan.kernel}};
  if (!r.note.empty()) json["note"] = r.note;
  if (r.seconds <= 0) return json;
  json["ours_us"] = 1e6 * r.seconds;
  json["spread"] = r.spread;
  json["tflops"] = r.tflops();
  json["tbytes"] = r.tbytes();
  json["compile_ms"] = r.compile_ms;
  json["peers"] = Json::array();
  for (const PeerTime& peer : r.peers) {
    json["peers"].push_back({{"name", peer.name},
                             {"us", 1e6 * peer.seconds},
                             {"tflops", r.product.flops() / peer.seconds * 1e-12},
                             {"spread", peer.spread}});
  }
  if (r.ratio() > 0) json["ratio"] = r.ratio();
  return json;
}

Json to_json(const RankedProduct& ranked) {
  if (!ranked.error.empty()) return failed_product(ranked.product, ranked.error);
  Json ways = Json::array();
  for (const RankedMapping& way : ranked.ways) {
    ways.push_back({{"mapping", way.mapping},
                    {"us", 1e6 * way.seconds},
                    {"predicted_us", 1e6 * way.predicted}});
    if (!way.error.empty()) ways.back()["error"] = way.error;
  }
  return {{"product", to_text(ranked.product)}, {"candidates", ranked.candidates}, {"ways", ways}};
}

std::string product_table_head() {
  return fmt::format(
      "{:<26}{:>10}{:>9}{:>7}{:>10}{:>9}{:>8}{:>11}{:>7}{:>10}{:>8}{:>9}  {:<22}{}\n", "product",
      "ours us", "TFLOP/s", "TB/s", "peer us", "TFLOP/s", "ratio", "predicted", "error", "floor us",
      "kernels", "made ms", "wanted", "peer; mapping");
}

std::string product_table_row(const Json& r, const ProductGoal& goal) {
  const std::string product = word(r, "product");
  if (const std::string error = word(r, "error"); !error.empty()) {
    return fmt::format("{:<26}  FAILED: {}\n", product, error);
  }
  const double ours = number(r, "ours_us"), predicted = number(r, "predicted_us");
  const auto cell = [](bool is_there, const std::string& text) { return is_there ? text : "-"; };
  const bool is_timed = has_times(r);
  const Json peers = r.value("peers", Json::array());
  const Json peer = peers.empty() ? Json::object() : peers.front();
  const std::string who = peers.empty() ? "" : word(peer, "name") + "; ";
  return fmt::format(
      "{:<26}{:>10}{:>9}{:>7}{:>10}{:>9}{:>8}{:>11.2f}{:>7}{:>10.2f}{:>8.3g}{:>9}  {:<22}{}\n",
      product, cell(is_timed, fmt::format("{:.2f}", ours)),
      cell(is_timed, fmt::format("{:.1f}", number(r, "tflops"))),
      cell(is_timed, fmt::format("{:.2f}", number(r, "tbytes"))),
      cell(!peers.empty(), fmt::format("{:.2f}", number(peer, "us"))),
      cell(!peers.empty(), fmt::format("{:.1f}", number(peer, "tflops"))),
      cell(r.contains("ratio"), fmt::format("{:.3f}", number(r, "ratio"))), predicted,
      cell(is_timed, fmt::format("{:+.0f}%", 100 * (predicted / ours - 1))), number(r, "floor_us"),
      number(r, "kernels"), cell(is_timed, fmt::format("{:.0f}", number(r, "compile_ms"))),
      goal_text(r, goal), who + how_text(r));
}

std::string ranked_text(const Json& ranked) {
  const std::string product = word(ranked, "product");
  if (const std::string error = word(ranked, "error"); !error.empty()) {
    return fmt::format("{}  FAILED: {}\n", product, error);
  }
  std::string text = fmt::format("{}, {} candidates\n", product, ranked.value("candidates", 0));
  for (const Json& way : ranked.value("ways", Json::array())) {
    const double us = number(way, "us"), predicted = number(way, "predicted_us");
    const std::string error = word(way, "error");
    text += !error.empty()
                ? fmt::format("  FAILED: {}: {}\n", word(way, "mapping"), error)
                : fmt::format("{:>12.2f} us{:>12.2f} predicted{:>+7.0f}%  {}\n", us, predicted,
                              100 * (predicted / us - 1), word(way, "mapping"));
  }
  return text;
}

bool meets(const Json& result, const ProductGoal& goal) {
  if (!word(result, "error").empty()) return false;
  switch (goal.of) {
    case ProductGoal::Of::none: return true;
    case ProductGoal::Of::ratio: return number(result, "ratio") >= goal.least;
    case ProductGoal::Of::tflops: return number(result, "tflops") >= goal.least;
    case ProductGoal::Of::tbytes: return number(result, "tbytes") >= goal.least;
    case ProductGoal::Of::added:
      return has_times(result) && added_share(result).value_or(goal.least + 1) <= goal.least &&
             number(result, "ratio") > 1;
  }
  return false;
}

std::string MedianRatio::to_text() const {
  if (products == 0) return "";
  return fmt::format("median ratio of {} small squares: {:.3f}, wanted 1: {}\n", products, ratio,
                     holds() ? "met" : "NOT met");
}

MedianRatio median_ratio(const std::vector<Json>& results,
                         const std::vector<ListedProduct>& products) {
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(results.size(), products.size()); ++i) {
    if (products[i].counts_for_median) ratios.push_back(number(results[i], "ratio"));
  }
  if (ratios.empty()) return {};
  std::ranges::sort(ratios);
  const size_t half = ratios.size() / 2;
  const double middle =
      ratios.size() % 2 == 1 ? ratios[half] : (ratios[half - 1] + ratios[half]) / 2;
  return {static_cast<int>(ratios.size()), middle};
}

RankShares rank_shares(const std::vector<Json>& ranked) {
  RankShares shares;
  for (const Json& product : ranked) {
    ++shares.products;
    const Json ways = product.value("ways", Json::array());
    if (ways.empty()) {
      ++shares.failed;
      continue;
    }
    const Json& chosen = ways.front();
    const double error = number(chosen, "predicted_us") / number(chosen, "us") - 1;
    const bool is_close = word(chosen, "error").empty() && std::abs(error) <= kMostError;
    shares.close += is_close ? 1 : 0;
    add_pairs(shares, word(product, "product"), ways);
  }
  return shares;
}

bool RankShares::holds() const {
  return products > 0 && share(close, products) >= kCloseWanted &&
         share(right, pairs) >= kRankedWanted;
}

std::string to_text(const RankShares& s) {
  std::string text;
  for (const std::string& wrong : s.wrong) text += concat("ranked wrongly: ", wrong, "\n");
  text += fmt::format("{} of {} products predicted within {:.0f} % ({:.0f} %, wanted {:.0f} %)",
                      s.close, s.products, 100 * kMostError, 100 * share(s.close, s.products),
                      100 * kCloseWanted);
  if (s.failed > 0) text += fmt::format(", {} failed", s.failed);
  return text + fmt::format(
                    "\n{} of {} pairs of mappings that differ by more than {:.0f} % ranked rightly "
                    "({:.0f} %, wanted {:.0f} %)\n",
                    s.right, s.pairs, 100 * kTellApart, 100 * share(s.right, s.pairs),
                    100 * kRankedWanted);
}

}  // namespace ridge::command
