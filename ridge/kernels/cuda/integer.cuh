// Integers as loop.h defines them: they wrap, divide towards minus infinity, and report errors through the status
// word of the launch. A thread keeps the error in a register and stores it when it ends: a branch at each lookup
// would keep loads from being in flight together.
#pragma once

namespace ridge {

// @helper narrowed
// Saturates to INT_MIN. For comparisons with integers that are never INT_MIN.
__device__ inline int narrowed(long long x) { return x == int(x) ? int(x) : -0x7fffffff - 1; }

// @helper wrap_add
__device__ inline long long wrap_add(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) + static_cast<Word>(b));
}

// @helper wrap_sub
__device__ inline long long wrap_sub(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) - static_cast<Word>(b));
}

// @helper wrap_mul
__device__ inline long long wrap_mul(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) * static_cast<Word>(b));
}

// @helper set_status
// In host memory, which the host reads after the kernel. Any one of several errors will do.
__device__ inline void set_status(int* status, int value) { *(volatile int*)status = value; }

// @helper checked_index
__device__ inline long long checked_index(long long index, long long extent, int& wrong) {
  using Word = unsigned long long;
  const bool is_inside = static_cast<Word>(index) < static_cast<Word>(extent);
  wrong = is_inside ? wrong : 1;
  return is_inside ? index : 0;
}

// @helper quotient
// Of numbers that are not negative.
__device__ inline int quotient(int a, int b) { return int(unsigned(a) / unsigned(b)); }
__device__ inline int remainder(int a, int b) { return int(unsigned(a) % unsigned(b)); }
__device__ inline long long quotient(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) / static_cast<Word>(b));
}
__device__ inline long long remainder(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) % static_cast<Word>(b));
}

// @helper floor_div
template <class T>
__device__ inline T floor_div(T a, T b) {
  if (b == -1) return static_cast<T>(0ull - static_cast<unsigned long long>(a));
  const T quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// @helper mod
template <class T>
__device__ inline T mod(T a, T b) {
  if (b == -1) return 0;
  const T rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// @helper checked_divisor
// A divisor of 0 is reported, and the result is 0.
template <class T>
__device__ inline bool checked_divisor(T b, int& wrong) {
  wrong = b != 0 ? wrong : 2;
  return b != 0;
}

// @helper floor_div_checked needs floor_div checked_divisor
template <class T>
__device__ inline T floor_div(T a, T b, int& wrong) {
  return checked_divisor(b, wrong) ? floor_div(a, b) : 0;
}

// @helper mod_checked needs mod checked_divisor
template <class T>
__device__ inline T mod(T a, T b, int& wrong) {
  return checked_divisor(b, wrong) ? mod(a, b) : 0;
}

// @helper power
__device__ inline long long power(long long base, long long exponent, int& wrong) {
  if (exponent < 0) {
    wrong = 3;
    return 0;
  }
  unsigned long long result = 1, factor = static_cast<unsigned long long>(base);
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= factor;
    factor *= factor;
  }
  return static_cast<long long>(result);
}

// @helper integer_max
__device__ inline int max(int a, int b) { return a < b ? b : a; }
__device__ inline long long max(long long a, long long b) { return a < b ? b : a; }

// @helper integer_min
__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline long long min(long long a, long long b) { return a < b ? a : b; }

// @ptx_helper wide_product
// One instruction; the compiler does not see that the upper half of a 32-bit constant is 0.
__device__ inline unsigned long long wide_product(unsigned a, unsigned b) {
  unsigned long long result;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(result) : "r"(a), "r"(b));
  return result;
}

// @helper philox needs wide_product
// Philox4x32-10.
__device__ inline long long philox(unsigned long long seed, unsigned long long rank,
                                   unsigned long long call, unsigned long long element, int word) {
  unsigned c0 = static_cast<unsigned>(element), c1 = static_cast<unsigned>(element >> 32);
  unsigned c2 = static_cast<unsigned>(call), c3 = static_cast<unsigned>(call >> 32);
  unsigned key0 = static_cast<unsigned>(seed);
  unsigned key1 = static_cast<unsigned>(seed >> 32) ^ static_cast<unsigned>(rank);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned long long p0 = wide_product(c0, 0xD2511F53u), p1 = wide_product(c2, 0xCD9E8D57u);
    c0 = static_cast<unsigned>(p1 >> 32) ^ c1 ^ key0;
    c1 = static_cast<unsigned>(p1);
    c2 = static_cast<unsigned>(p0 >> 32) ^ c3 ^ key1;
    c3 = static_cast<unsigned>(p0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  const unsigned low = (word & 1) != 0 ? c1 : c0, high = (word & 1) != 0 ? c3 : c2;
  return (word & 2) != 0 ? high : low;
}

}  // namespace ridge
