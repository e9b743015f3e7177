// sin and cos of floats, to less than 2 units in the last place: x = n * pi / 2 + r, |r| <= pi / 4,
// then a polynomial chosen by n modulo 4.
//
// CUDA's own need a stack frame for large arguments. Ours keep everything in registers: 2 / pi
// times x, modulo 4, from the 96 bits of 2 / pi that matter for the exponent of x. Where the
// argument is known to be small, the reduction is left out (`near`: |x| <= 1) or that part of it
// (`small`: |x| <= 48000). sin and cos of one argument share its reduction, and those of values of 16
// bits have polynomials as short as that allows.
#pragma once

namespace ridge {

// @helper sine_near
// Has the sign of r, so -0 stays -0. The 16-bit form has an error of 2^-19 and needs |r| <= pi / 4.
template <int kBits = 24>
__device__ inline float sine_near(float r) {
  const float s = r * r;
  if constexpr (kBits <= 16) {
    return r * fmaf(fmaf(8.163213730e-03f, s, -1.666338742e-01f), s, 1.0f);
  } else {
    float p = fmaf(2.726271077e-06f, s, -1.984238479e-04f);
    p = fmaf(p, s, 8.333354257e-03f);
    p = fmaf(p, s, -1.666666716e-01f);
    return copysignf(fmaf(p * s, r, r), r);
  }
}

// @helper cosine_near
// The 16-bit form has an error of 2^-16.
template <int kBits = 24>
__device__ inline float cosine_near(float r) {
  const float s = r * r;
  if constexpr (kBits <= 16) {
    return fmaf(fmaf(4.045796022e-02f, s, -4.997603595e-01f), s, 1.0f);
  } else {
    float p = fmaf(2.407281681e-05f, s, -1.388211618e-03f);
    p = fmaf(p, s, 4.166641459e-02f);
    p = fmaf(p, s, -4.999999702e-01f);
    return fmaf(p, s, 1.0f);
  }
}

// @helper angle_small
// n * pi / 2 + r; only the last two bits of n count. The 16-bit form has an error of 5e-11, which is enough: but for
// 0, no x of bf16 or f16 is nearer than 1e-5 to a multiple of pi / 2.
struct Angle {
  float r;
  unsigned n;
};
template <int kBits = 24>
__device__ inline Angle angle_small(float x) {
  const float shifted = fmaf(x, 0.636619772f, 12582912.0f);
  const float turns = shifted - 12582912.0f;
  float r;
  if constexpr (kBits <= 16) {
    r = fmaf(turns, 4.37113883e-08f, fmaf(turns, -1.57079637e+00f, x));
  } else {
    r = fmaf(turns, -1.57079601e+00f, x);
    r = fmaf(turns, -3.13916473e-07f, r);
    r = fmaf(turns, -5.39030253e-15f, r);
  }
  return {r, __float_as_uint(shifted)};
}

// @helper reduce_large
// The same for |x| >= 16: x is an integer of 24 bits times 2^e, and of 2 / pi * 2^e only what is
// left modulo 4 matters: 96 of its bits. Gives r, and n in the upper half, both in registers.
__device__ __noinline__ unsigned long long reduce_large(float x) {
  const unsigned bits = __float_as_uint(x);
  const unsigned start = (bits >> 23 & 255) - 120;  // of these bits, behind 32 zeros
  const unsigned word = start >> 5, shift = start & 31;
  const auto pick = [&](unsigned a, unsigned b, unsigned c, unsigned d, unsigned e) {
    return word < 2 ? (word == 0 ? a : b) : word == 2 ? c : word == 3 ? d : e;
  };
  const unsigned t0 = 0xa2f9836eu, t1 = 0x4e441529u, t2 = 0xfc2757d1u, t3 = 0xf534ddc0u;
  const unsigned t4 = 0xdb629599u, t5 = 0x3c439041u, t6 = 0xfe5163abu;
  const unsigned long long w0 = pick(0, t0, t1, t2, t3), w1 = pick(t0, t1, t2, t3, t4);
  const unsigned long long w2 = pick(t1, t2, t3, t4, t5), w3 = pick(t2, t3, t4, t5, t6);
  const unsigned high = static_cast<unsigned>((w0 << 32 | w1) << shift >> 32);
  const unsigned middle = static_cast<unsigned>((w1 << 32 | w2) << shift >> 32);
  const unsigned low = static_cast<unsigned>((w2 << 32 | w3) << shift >> 32);
  const unsigned long long m = (bits & 0x7fffffu) | 0x800000u;
  unsigned long long product = m * low >> 32;
  product += m * middle;
  product += m * high << 32;
  const unsigned long long n = (product + (1ull << 61)) >> 62;
  const double rest = static_cast<double>(static_cast<long long>(product - (n << 62)));
  const float r = static_cast<float>(rest * 3.4061215800304836e-19);  // pi / 2 * 2^-62
  const bool is_negative = (bits >> 31) != 0;
  return (is_negative ? 0 - n : n) << 32 | __float_as_uint(is_negative ? -r : r);
}

// @helper angle needs angle_small reduce_large
template <int kBits = 24>
__device__ inline Angle angle(float x) {
  Angle a = angle_small<kBits>(x);
  if (fabsf(x) > 48000.0f) {
    const unsigned long long both = reduce_large(x);
    const bool is_finite = fabsf(x) <= 3.402823466e+38f;
    a.r = is_finite ? __uint_as_float(static_cast<unsigned>(both)) : x - x;
    a.n = static_cast<unsigned>(both >> 32);
  }
  return a;
}

// @helper are_small
template <int kLanes>
__device__ inline bool are_small(const float (&x)[kLanes]) {
  float most = 0.0f;
#pragma unroll
  for (int i = 0; i < kLanes; ++i) most = fmaxf(most, fabsf(x[i]));
  return most <= 48000.0f;
}

// @ptx_helper is_odd
// One instruction, where the compiler takes two.
__device__ inline bool is_odd(unsigned n) {
  int result;
  asm("{\n.reg .pred p;\n.reg .b32 bit;\n"
      "lop3.or.b32 bit|p, %1, 1, 0, 0xc0, 0;\nselp.b32 %0, 1, 0, p;\n}"
      : "=r"(result)
      : "r"(n));
  return result != 0;
}

// @helper half_turn
// -x for the second half of a turn.
__device__ inline float half_turn(float x, unsigned n) {
  return __uint_as_float(__float_as_uint(x) ^ (n & 2) << 30);
}

// @helper sine needs angle_small is_odd half_turn sine_near cosine_near
template <int kBits = 24, bool kHasSign = true>
__device__ inline float sine(Angle a) {
  const float s = sine_near<kBits>(a.r), c = cosine_near<kBits>(a.r);
  const float either = is_odd(a.n) ? c : s;
  return kHasSign ? half_turn(either, a.n) : either;
}

// @helper cosine needs angle_small is_odd half_turn sine_near cosine_near
template <int kBits = 24, bool kHasSign = true>
__device__ inline float cosine(Angle a) {
  const float s = sine_near<kBits>(a.r), c = cosine_near<kBits>(a.r);
  const float either = is_odd(a.n) ? s : c;
  return kHasSign ? half_turn(either, a.n + 1) : either;
}

}  // namespace ridge
