// Functions of reals that CUDA lacks, or defines differently than loop.h.
#pragma once

namespace ridge {

// @helper infinity
__device__ inline float infinity() { return __uint_as_float(0x7f800000u); }

// @helper not_a_number
__device__ inline float not_a_number() { return __uint_as_float(0x7fffffffu); }

// @ptx_helper float_max
__device__ inline float max(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

// @ptx_helper float_min
__device__ inline float min(float a, float b) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

// @helper double_max
// The same in either order of the operands, so that threads agree.
__device__ inline double max(double a, double b) { return a != a || b != b ? a + b : fmax(a, b); }

// @helper double_min
__device__ inline double min(double a, double b) { return a != a || b != b ? a + b : fmin(a, b); }

// @ptx_helper reciprocal_16
// For 16-bit results: the error is a few units in the last place of a float.
__device__ inline float reciprocal_16(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// @helper scale_of
// Keeps a divisor, and its reciprocal, in the range of floats.
__device__ inline float scale_of(float b) {
  return fabsf(b) > 0x1p100f ? 0x1p-40f : fabsf(b) < 0x1p-100f ? 0x1p40f : 1.0f;
}

// @helper div_16 needs reciprocal_16 scale_of
// The reciprocal and its scale are loop-invariant where a row is divided by one number.
__device__ inline float div_16(float a, float b) {
  const float scale = scale_of(b);
  return a * scale * reciprocal_16(b * scale);
}

// @ptx_helper sqrt_16
__device__ inline float sqrt_16(float x) {
  float result;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// @ptx_helper exp2_16
__device__ inline float exp2_16(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// @helper exp_16 needs exp2_16
// exp(x) = 2^(x log2 e): the rounding of the exponent costs |x| / 2^24. What would be denormal is 0.
__device__ inline float exp_16(float x) { return exp2_16(x * 1.44269504f); }

// @helper tanh_16 needs exp2_16 reciprocal_16
// By its series near 0, where the other form would cancel; the error is 2^-17.
__device__ inline float tanh_16(float x) {
  const float large = fmaf(-2.0f, reciprocal_16(1.0f + exp2_16(x * 2.88539008f)), 1.0f);
  return fabsf(x) < 0.0625f ? fmaf(x * x, x * -0.333333333f, x) : large;
}

// @helper one_plus_tanh_16 needs exp2_16 reciprocal_16
// 1 + tanh(x) and 1 + erf(x), which are small where x is negative, to 16 bits of that: terms that
// are computed by themselves would cancel. The second one is off by 2^-14.6, the error of
// exp(x^2) erfc(|x|) as a polynomial of 1 / (1 + 0.525 |x|), fitted for |x| <= 10.
__device__ inline float one_plus_tanh_16(float x) {
  return 2.0f * reciprocal_16(1.0f + exp2_16(x * -2.88539008f));
}

// @helper one_plus_erf_16 needs exp2_16 reciprocal_16
__device__ inline float one_plus_erf_16(float x) {
  const float t = reciprocal_16(fmaf(fabsf(x), 0.525f, 1.0f));
  float p = fmaf(-1.795522965e-01f, t, 4.120648605e-01f);
  p = fmaf(p, t, 1.584210067e-01f);
  p = fmaf(p, t, 3.141188104e-01f);
  p = fmaf(p, t, 2.949828794e-01f) * t;
  const float rest = p * exp2_16(x * x * -1.44269504f);
  return x < 0.0f ? rest : 2.0f - rest;
}

// @helper sign
template <class T>
__device__ inline T sign(T x) {
  return x != x ? x : static_cast<T>((x > 0) - (x < 0));
}

// @helper fmod
__device__ inline float exact_mod(float a, float b) { return fmodf(a, b); }
__device__ inline double exact_mod(double a, double b) { return fmod(a, b); }

// @helper real_mod needs fmod
template <class T>
__device__ inline T real_mod(T a, T b) {
  const T rest = exact_mod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// @helper real_floor_div needs fmod
// The quotient follows from the exact remainder: it does not round up past the true one.
template <class T>
__device__ inline T real_floor_div(T a, T b) {
  const T ratio = a / b;
  if (b == 0) return ratio;
  const T rest = exact_mod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return copysign(T(0), ratio);
  const T below = floor(quotient);
  return quotient - below > T(0.5) ? below + 1 : below;
}

}  // namespace ridge
