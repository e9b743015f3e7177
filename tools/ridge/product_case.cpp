#include "product_case.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/parse_number.h"
#include "ridge/base/random.h"
#include "ridge/base/text.h"

namespace ridge::command {
namespace {

constexpr std::string_view kForm = "MxNxK[:nn|nt|tn|tt][:bf16|f16][:bias_gelu|int8|int4]";
constexpr int64_t kMostSize = int64_t{1} << 31, kMostElements = int64_t{1} << 34;
constexpr std::array<std::string_view, 4> kLayouts = {"nn", "nt", "tn", "tt"};

void check_parsed(bool is_good, std::string_view word) {
  RIDGE_CHECK(is_good, .code = ErrorCode::parse, .op = "products", .expected = std::string(kForm),
              .given = concat("`", word, "`"));
}

std::string layout_text(const cost::MatmulLayout& layout) {
  return concat(layout.x_is_transposed ? 't' : 'n', layout.w_is_transposed ? 't' : 'n');
}

void parse_sizes(ProductCase& product, std::string_view sizes, std::string_view word) {
  const std::vector<std::string_view> parts = split_at(sizes, "x");
  check_parsed(parts.size() == 3, word);
  int64_t* const into[] = {&product.m, &product.n, &product.k};
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_whole(parts[i]);
    check_parsed(number.has_value(), word);
    RIDGE_CHECK(*number > 0 && *number <= kMostSize, .code = ErrorCode::value, .op = "products",
                .expected = "sizes from 1 to 2^31", .given = concat("`", word, "`"));
    *into[i] = static_cast<int64_t>(*number);
  }
  for (const auto& [rows, columns] :
       {std::pair(product.m, product.k), {product.k, product.n}, {product.m, product.n}}) {
    RIDGE_CHECK(rows <= kMostElements / columns, .code = ErrorCode::value, .op = "products",
                .expected = "matrices of at most 2^34 elements", .given = concat("`", word, "`"));
  }
}

void parse_part(ProductCase& product, std::string_view part, std::string_view word) {
  if (std::ranges::count(kLayouts, part) > 0) {
    product.layout = cost::parse_matmul_layout(part);
  } else if (part == "bf16" || part == "f16") {
    product.dtype = part == "f16" ? f16 : bf16;
  } else if (part == "bias_gelu") {
    product.has_bias_gelu = true;
  } else {
    check_parsed(part == "int8" || part == "int4", word);
    product.weights = part == "int8" ? BlockFormat::q8_0 : BlockFormat::q4_0;
  }
}

// Blocks lie along K, as files of weights have them.
void check_weights(const ProductCase& product, std::string_view word) {
  if (!product.weights) return;
  const int64_t elements = layout_of(*product.weights).elements;
  const bool is_plain = !product.has_bias_gelu && layout_text(product.layout) == "nt";
  RIDGE_CHECK(
      is_plain && product.k % elements == 0, .code = ErrorCode::value, .op = "products",
      .expected = concat("for weights in blocks nt, no epilogue, and K a multiple of ", elements),
      .given = concat("`", word, "`"));
}

double weight_bytes(const ProductCase& product) {
  const double count = static_cast<double>(product.n) * static_cast<double>(product.k);
  if (!product.weights) return count * product.dtype.bits / 8;
  const BlockLayout& layout = layout_of(*product.weights);
  return count * static_cast<double>(layout.bytes) / static_cast<double>(layout.elements);
}

using Of = ProductGoal::Of;

ListedProduct listed(std::string_view word, ProductGoal goal) {
  return {parse_product(word), goal};
}
ListedProduct small_square(std::string_view word) {
  return {parse_product(word), {Of::ratio, 0.93, 1.1}, true};
}

}  // namespace

double ProductCase::flops() const {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

double ProductCase::bytes() const {
  const double lhs = static_cast<double>(m) * static_cast<double>(k);
  const double out = static_cast<double>(m) * static_cast<double>(n);
  return weight_bytes(*this) + (lhs + out) * dtype.bits / 8;
}

std::string to_text(const ProductCase& product) {
  std::string text = concat(product.m, "x", product.n, "x", product.k);
  if (const std::string layout = layout_text(product.layout); layout != "nt") text += ":" + layout;
  if (product.dtype != bf16) text += concat(":", name(product.dtype));
  if (product.has_bias_gelu) text += ":bias_gelu";
  if (product.weights) text += *product.weights == BlockFormat::q8_0 ? ":int8" : ":int4";
  return text;
}

ProductCase parse_product(std::string_view word) {
  const std::vector<std::string_view> parts = split_at(word, ":");
  ProductCase product;
  parse_sizes(product, parts.front(), word);
  for (size_t i = 1; i < parts.size(); ++i) parse_part(product, parts[i], word);
  check_weights(product, word);
  return product;
}

std::string to_text(const ProductGoal& goal) {
  switch (goal.of) {
    case Of::none: return "";
    case Of::ratio: return concat(goal.least, "x");
    case Of::tflops: return concat(goal.least, " TFLOP/s");
    case Of::tbytes: return concat(goal.least, " TB/s");
    case Of::added: return concat("+", 100 * goal.least, " %");
  }
  return "";
}

const std::vector<ListedProduct>& listed_products() {
  static const std::vector<ListedProduct>& all = *new std::vector<ListedProduct>{
      listed("4096x4096x4096:nn", {Of::ratio, 0.97, 1.0}),
      listed("8192x8192x8192:nn", {Of::ratio, 0.97, 1.0}),
      listed("16384x768x3072", {Of::ratio, 0.97, 1.0}),
      listed("16384x3072x768", {Of::ratio, 1.0, 1.08}),
      listed("16384x50304x768", {Of::ratio, 1.0, 1.08}),
      listed("50432x2304x768", {Of::ratio, 1.0, 1.08}),
      listed("50432x3072x768", {Of::ratio, 1.0, 1.08}),
      listed("768x3072x16384:tn", {Of::ratio, 1.0, 1.1}),
      listed("3072x768x16384:tn", {Of::ratio, 1.0, 1.1}),
      listed("768x768x16384:tn", {Of::ratio, 1.0, 1.1}),
      small_square("1024x1024x1024:nn"),
      small_square("1536x1536x1536:nn"),
      small_square("1792x1792x1792:nn"),
      small_square("2048x2048x2048:nn"),
      listed("1793x1793x1793:nn", {Of::ratio, 3, 3.66}),
      listed("4097x4097x4097:nn", {Of::ratio, 4, 4.58}),
      listed("16384x50257x768", {Of::ratio, 5, 6}),
      listed("1x4096x4096", {Of::tbytes, 2.8, 3.2}),
      listed("16x4096x4096", {Of::tbytes, 2.6, 3.1}),
      listed("64x14336x4096", {Of::tbytes, 3.3, 3.7}),
      listed("128x14336x4096", {Of::tbytes, 3.3, 3.7}),
      listed("1x4096x14336:int8", {Of::ratio, 1.5, 1.7}),
      listed("1x4096x14336:int4", {Of::ratio, 2, 2.5}),
      listed("16384x3072x768:bias_gelu", {Of::added, 0.08, 0.05}),
  };
  return all;
}

std::vector<ProductCase> drawn_products(uint64_t seed, int count) {
  constexpr double kMostFlops = 3e12, kMostBytes = 2e9;
  constexpr double kLeastSize = 64, kMostDrawn = 16384;
  SplitMix64 random(seed);
  // As likely between 64 and 128 as between 8192 and 16384.
  const auto size = [&](double least) {
    const double drawn = std::exp(random.uniform(std::log(least), std::log(kMostDrawn)));
    const int64_t step = random.integer(0, 1) == 0 ? 8 : 64;
    return std::max<int64_t>(1, std::llround(drawn / static_cast<double>(step))) * step;
  };
  std::vector<ProductCase> drawn;
  while (static_cast<int>(drawn.size()) < count) {
    ProductCase product;
    const bool has_few_rows = random.integer(0, 7) == 0;
    product.m = has_few_rows ? 8 * random.integer(1, 16) : size(kLeastSize);
    product.n = size(kLeastSize);
    product.k = size(kLeastSize);
    product.layout = cost::parse_matmul_layout(kLayouts[static_cast<size_t>(random.integer(0, 3))]);
    product.dtype = random.integer(0, 3) == 0 ? f16 : bf16;
    if (product.flops() <= kMostFlops && product.bytes() <= kMostBytes) drawn.push_back(product);
  }
  return drawn;
}

}  // namespace ridge::command
