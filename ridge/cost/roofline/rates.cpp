#include "ridge/cost/roofline/rates.h"

#include <algorithm>

#include "ridge/base/text.h"

namespace ridge::cost {

void Rates::notice(std::string text) {
  if (std::ranges::find(notices_, text) == notices_.end()) notices_.push_back(std::move(text));
}

void Rates::absent(std::string_view figure, std::string_view consequence) {
  notice(concat("sheet ", sheet_.name, " has no figure ", figure, ": ", consequence));
}

Rate Rates::matrix(ElementType type, std::string_view what) {
  const std::string key = concat("matrix.", type.name);
  const std::string vector_key = concat("vector.", type.name, ".fma");
  const auto matrix = sheet_.value(key), vector = sheet_.value(vector_key);
  // Of a CPU, products run on the vector units, and what they were measured to reach is no ceiling.
  if (matrix && !(vector && *vector > *matrix)) return {*matrix, key};
  if (vector) {
    if (!matrix) absent(key, concat(vector_key, " bounds it"));
    return {*vector, vector_key};
  }
  return {sheet_.need(key, what), key};
}

Rate Rates::vector(ElementType type, bool is_fma, std::string_view what) {
  const std::string fma_key = concat("vector.", type.name, ".fma");
  const std::string key = is_fma ? fma_key : concat("vector.", type.name);
  if (const auto value = sheet_.value(key)) return {*value, key};
  if (const auto fma = sheet_.value(fma_key)) {
    absent(key, concat("half of ", fma_key, ", as an FMA is one instruction of 2 flops"));
    return {*fma / 2, concat(fma_key, " / 2")};
  }
  const std::string plain_key = concat("vector.", type.name);
  if (const auto plain = sheet_.value(plain_key)) {
    absent(key, concat(plain_key, ", of units that are not known to have FMA"));
    return {*plain, plain_key};
  }
  if (type.bytes < 4) {
    absent(key, "computed in f32");
    return vector(find_element_type("f32"), is_fma, what);
  }
  const std::string matrix_key = concat("matrix.", type.bytes == 4 ? "bf16" : type.name);
  if (const auto value = sheet_.value(matrix_key); value && sheet_.kind == SheetKind::tpu) {
    absent(key, concat(matrix_key, ", which no vector unit exceeds, bounds it"));
    return {*value, matrix_key};
  }
  return {sheet_.need(key, what), key};
}

Rate Rates::special(expr::Function function, ElementType type, std::string_view what) {
  const std::string own = concat("function.", expr::info(function).name);
  Rate best;
  for (const std::string& key : {own + ".peak", own}) {
    const double value = sheet_.value(key).value_or(0);
    if (value > best.per_second) best = {value, key};
  }
  if (best.per_second > 0) return best;
  for (const std::string& key : {concat("special.", type.name), std::string("special.f32")}) {
    if (const auto value = sheet_.value(key)) return {*value, key};
  }
  absent("special.f32", "a call is taken as one flop of the vector units");
  return vector(type, false, what);
}

Rate Rates::memory(std::string_view what) {
  Rate best;
  for (const char* key : {"dram.peak", "dram.read", "dram.write", "dram.copy"}) {
    const double value = sheet_.value(key).value_or(0);
    if (value > best.per_second) best = {value, key};
  }
  return best.per_second > 0 ? best : Rate{sheet_.need("dram.peak", what), "dram.peak"};
}

}  // namespace ridge::cost
