// Element types, conversions, and vectorized loads and stores.
#pragma once

namespace ridge {

// @ptx_helper bf16_bits
__device__ inline unsigned short bf16_bits(float x) {
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
__device__ inline unsigned bf16_pair(float low, float high) {
  unsigned bits;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  return bits;
}

// @ptx_helper f16_bits
__device__ inline unsigned short f16_bits(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
__device__ inline unsigned f16_pair(float low, float high) {
  unsigned bits;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  return bits;
}
__device__ inline float f16_value(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}

// @helper bf16 needs bf16_bits
struct bf16 {
  unsigned short bits;
  bf16() = default;
  __device__ explicit bf16(float x) : bits(bf16_bits(x)) {}
  __device__ operator float() const { return __uint_as_float(unsigned(bits) << 16); }
  __device__ static unsigned pair(float low, float high) { return bf16_pair(low, high); }
  __device__ static float low(unsigned pair) { return __uint_as_float(pair << 16); }
  __device__ static float high(unsigned pair) { return __uint_as_float(pair & 0xffff0000u); }
};

// @helper f16 needs f16_bits
struct f16 {
  unsigned short bits;
  f16() = default;
  __device__ explicit f16(float x) : bits(f16_bits(x)) {}
  __device__ operator float() const { return f16_value(bits); }
  __device__ static unsigned pair(float low, float high) { return f16_pair(low, high); }
  __device__ static float low(unsigned pair) { return f16_value(pair & 0xffff); }
  __device__ static float high(unsigned pair) { return f16_value(pair >> 16); }
};

// @helper bool8
struct bool8 {
  unsigned char bits;
  bool8() = default;
  __device__ explicit bool8(bool x) : bits(x ? 1 : 0) {}
  __device__ operator bool() const { return bits != 0; }
};

// @helper round_to_odd
// double to float, rounded to odd: rounding the result to 16 bits gives what one rounding would.
__device__ inline float round_to_odd(double x) {
  const float nearest = float(x);
  const unsigned bits = __float_as_uint(nearest);
  const double back = nearest;
  if (back == x || x != x || (bits & 1) != 0) return nearest;
  return __uint_as_float(fabs(back) > fabs(x) ? bits - 1 : bits + 1);
}
__device__ inline float round_to_odd(long long x) { return round_to_odd(double(x)); }

// @helper to_integer
// Real to integer as core/element_cast.h says: truncated, else the nearest number of the type; NaN
// gives 0.
template <class Real>
__device__ inline long long to_integer(Real x) {
  if (x != x) return 0;
  if (x >= Real(0x1p63)) return 0x7fffffffffffffffLL;
  if (x < Real(-0x1p63)) return -0x7fffffffffffffffLL - 1;
  return static_cast<long long>(x);
}

// @helper saturated needs to_integer
template <class To, class Real>
__device__ inline To saturated(Real x, long long low, long long high) {
  const long long integer = to_integer(x);
  return static_cast<To>(integer < low ? low : integer > high ? high : integer);
}

// @helper Wide
template <class T, int kCount>
struct alignas(sizeof(T) * kCount) Wide {
  T at[kCount];
};

// @helper Cached
// Access policies of vectorized loads and stores: Cached and Streaming.
struct Cached {
  template <class T>
  __device__ static T load(const T* from) {
    return *from;
  }
  template <class T>
  __device__ static void store(T* to, T value) {
    *to = value;
  }
};

// @helper streaming needs Wide
// Evict-first loads and stores, for data that is used once.
template <int kBytes>
struct Word;
template <>
struct Word<1> {
  using Type = unsigned char;
};
template <>
struct Word<2> {
  using Type = unsigned short;
};
template <>
struct Word<4> {
  using Type = unsigned;
};
template <>
struct Word<8> {
  using Type = uint2;
};
template <>
struct Word<16> {
  using Type = uint4;
};

// Unions stay in registers.
template <class T>
__device__ inline T load_streaming(const T* from) {
  using Bits = typename Word<sizeof(T)>::Type;
  union Both {
    Bits bits;
    T value;
    __device__ Both() {}
  } both;
  both.bits = __ldcs(reinterpret_cast<const Bits*>(from));
  return both.value;
}
template <class T>
__device__ inline void store_streaming(T* to, T value) {
  using Bits = typename Word<sizeof(T)>::Type;
  union Both {
    Bits bits;
    T value;
    __device__ Both() {}
  } both;
  both.value = value;
  __stcs(reinterpret_cast<Bits*>(to), both.bits);
}
struct Streaming {
  template <class T>
  __device__ static T load(const T* from) {
    return load_streaming(from);
  }
  template <class T>
  __device__ static void store(T* to, T value) {
    store_streaming(to, value);
  }
};

// @helper load_wide needs Wide Cached
// Consecutive elements, kBytes with each access.
template <int kBytes, class Access = Cached, class Register, class Element, int kLanes>
__device__ inline void load_wide(Register (&lanes)[kLanes], const Element* from) {
  constexpr int kEach = kBytes / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    const auto chunk = Access::load(reinterpret_cast<const Wide<Element, kEach>*>(from + first));
#pragma unroll
    for (int i = 0; i < kEach; ++i) lanes[first + i] = Register(chunk.at[i]);
  }
}

// @helper load_widened needs Wide Cached
// 16-bit elements to floats: a word holds two, and each takes one instruction to widen.
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void load_widened(float (&lanes)[kLanes], const Element* from) {
  using Chunk = Wide<unsigned, kBytes / 4>;
  constexpr int kEach = kBytes / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    const auto chunk = Access::load(reinterpret_cast<const Chunk*>(from + first));
#pragma unroll
    for (int i = 0; i < kEach; i += 2) {
      lanes[first + i] = Element::low(chunk.at[i / 2]);
      lanes[first + i + 1] = Element::high(chunk.at[i / 2]);
    }
  }
}

// @helper store_wide needs Wide Cached
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void store_wide(Element* to, const Element (&lanes)[kLanes]) {
  constexpr int kEach = kBytes / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    Wide<Element, kEach> chunk;
#pragma unroll
    for (int i = 0; i < kEach; ++i) chunk.at[i] = lanes[first + i];
    Access::store(reinterpret_cast<Wide<Element, kEach>*>(to + first), chunk);
  }
}

// @helper store_rounded needs Wide Cached
// Floats rounded to 16 bits, two with each conversion.
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void store_rounded(Element* to, const float (&lanes)[kLanes]) {
  using Chunk = Wide<unsigned, kBytes / 4>;
  constexpr int kEach = kBytes / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    Chunk chunk;
#pragma unroll
    for (int i = 0; i < kEach; i += 2) {
      chunk.at[i / 2] = Element::pair(lanes[first + i], lanes[first + i + 1]);
    }
    Access::store(reinterpret_cast<Chunk*>(to + first), chunk);
  }
}

}  // namespace ridge
