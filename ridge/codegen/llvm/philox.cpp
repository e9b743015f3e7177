// expr::philox in lanes: Philox4x32-10, see Note [Random numbers] in ops/random.h.
#include <array>

#include "ridge/codegen/llvm/scalar_function.h"

namespace ridge::codegen {
namespace {

constexpr int kRounds = 10;
constexpr int64_t kMultiplier0 = 0xD2511F53;
constexpr int64_t kMultiplier1 = 0xCD9E8D57;
constexpr int64_t kKeyStep0 = 0x9E3779B9;
constexpr int64_t kKeyStep1 = 0xBB67AE85;
constexpr int64_t kLowHalf = 0xFFFFFFFF;

}  // namespace

// All words are 32 bits in the low half of an i64, which is how lanes multiply 32 by 32 bits. What
// is the same for all lanes (the keys, often the call) stays scalar as long as it can.
Value* emit_philox(Code& code, llvm::ArrayRef<Value*> args) {
  Builder& b = code.builder;
  const auto low = [&](Value* word) { return b.CreateAnd(word, integer_like(word, kLowHalf)); };
  const auto high = [&](Value* word) { return b.CreateLShr(word, integer_like(word, 32)); };
  const auto exclusive_or = [&](Value* x, Value* y) {
    match(code, x, y);
    return b.CreateXor(x, y);
  };
  std::array<Value*, 4> counter = {low(args[3]), high(args[3]), low(args[2]), high(args[2])};
  Value* key0 = low(args[0]);
  Value* key1 = exclusive_or(high(args[0]), low(args[1]));
  for (int round = 0; round < kRounds; ++round) {
    Value* product0 = b.CreateMul(counter[0], integer_like(counter[0], kMultiplier0));
    Value* product1 = b.CreateMul(counter[2], integer_like(counter[2], kMultiplier1));
    counter = {exclusive_or(exclusive_or(high(product1), counter[1]), key0), low(product1),
               exclusive_or(exclusive_or(high(product0), counter[3]), key1), low(product0)};
    key0 = low(b.CreateAdd(key0, integer_like(key0, kKeyStep0)));
    key1 = low(b.CreateAdd(key1, integer_like(key1, kKeyStep1)));
  }
  Value* word = b.CreateAnd(args[4], integer_like(args[4], 3));
  Value* result = counter[0];
  for (unsigned i = 1; i < 4; ++i) {
    Value* is_this = b.CreateICmpEQ(word, integer_like(word, i));
    match(code, result, counter[i]);
    result = choose(code, is_this, counter[i], result);
  }
  return result;
}

}  // namespace ridge::codegen
