// Rows in registers and their ends: elements two in a register, from addresses that are not aligned,
// and only of some lanes.
#pragma once

#include "ridge/kernels/cuda/element.cuh"

namespace ridge {

// @helper load_packed needs Wide
template <int kBytes, int kLanes, class Element>
__device__ inline void load_packed(unsigned* pairs, const Element* from) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; i += kBytes / 4) {
    const auto chunk = *reinterpret_cast<const Wide<unsigned, kBytes / 4>*>(from + 2 * i);
#pragma unroll
    for (int k = 0; k < kBytes / 4; ++k) pairs[i + k] = chunk.at[k];
  }
}

// @helper copy_packed
template <int kLanes>
__device__ inline void copy_packed(unsigned* pairs, const unsigned* from) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; ++i) pairs[i] = from[i];
}

// @helper gather_packed
// One by one, where they are not aligned.
template <int kLanes, class Element>
__device__ inline void gather_packed(unsigned* pairs, const Element* from) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; ++i) {
    pairs[i] = from[2 * i].bits | unsigned(from[2 * i + 1].bits) << 16;
  }
}
template <int kLanes, class Element>
__device__ inline void gather_packed(unsigned* pairs, const Element* from, unsigned inside) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; ++i) {
    const unsigned low = (inside >> 2 * i & 1) != 0 ? from[2 * i].bits : 0;
    const unsigned high = (inside >> (2 * i + 1) & 1) != 0 ? from[2 * i + 1].bits : 0;
    pairs[i] = low | high << 16;
  }
}

// @helper unpack
template <class Element, int kLanes>
__device__ inline void unpack(float (&lanes)[kLanes], const unsigned* pairs) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; ++i) {
    lanes[2 * i] = Element::low(pairs[i]);
    lanes[2 * i + 1] = Element::high(pairs[i]);
  }
}

// @ptx_helper steady
// The same, as far as compilers know only here and now.
__device__ inline unsigned steady(unsigned pair) {
  asm volatile("" : "+r"(pair));
  return pair;
}

// @helper unpack_steady needs unpack steady
template <class Element, int kLanes>
__device__ inline void unpack_steady(float (&lanes)[kLanes], const unsigned* pairs) {
  unsigned here[kLanes / 2];
#pragma unroll
  for (int i = 0; i < kLanes / 2; ++i) here[i] = steady(pairs[i]);
  unpack<Element>(lanes, here);
}

// @helper load_packed_once needs once
template <int kBytes, int kLanes, class Element>
__device__ inline void load_packed_once(unsigned* pairs, const Element* from) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; i += kBytes / 4) {
    const auto chunk = load_once(reinterpret_cast<const Wide<unsigned, kBytes / 4>*>(from + 2 * i));
#pragma unroll
    for (int k = 0; k < kBytes / 4; ++k) pairs[i + k] = chunk.at[k];
  }
}

// @helper load_shifted_words needs Wide
// A word of 16 bytes is only touched for an element that is wanted.
// 16 bytes that start `off` bytes behind the first of two words of 16, a multiple of 2.
__device__ inline void shift_words(unsigned* words, const Wide<unsigned, 4>& low,
                                   const Wide<unsigned, 4>& high, unsigned off) {
  unsigned all[8], by_two[6], by_one[5];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    all[i] = low.at[i];
    all[i + 4] = high.at[i];
  }
#pragma unroll
  for (int i = 0; i < 6; ++i) by_two[i] = (off & 8) != 0 ? all[i + 2] : all[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) by_one[i] = (off & 4) != 0 ? by_two[i + 1] : by_two[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    words[i] = __funnelshift_r(by_one[i], by_one[i + 1], 8 * (off & 2));
  }
}
template <class Element>
__device__ inline unsigned behind_a_word(const Element* from) {
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>(from)) & 15;
}
template <class Element>
__device__ inline const Wide<unsigned, 4>* word_of(const Element* from) {
  const char* const byte = reinterpret_cast<const char*>(from) - behind_a_word(from);
  return reinterpret_cast<const Wide<unsigned, 4>*>(byte);
}
// From an address that is a multiple of an element's bytes only.
template <class Element>
__device__ inline void load_shifted_words(unsigned* words, const Element* from) {
  const unsigned off = behind_a_word(from);
  const auto* const first = word_of(from);
  const auto low = first[0], high = first[off == 0 ? 0 : 1];
  shift_words(words, low, high, off);
}
// Only elements that are inside have a value, and some are.
template <class Element>
__device__ inline void load_shifted_words(unsigned* words, const Element* from, unsigned inside) {
  const unsigned off = behind_a_word(from), in_low = (16 - off) / sizeof(Element);
  const auto* const first = word_of(from);
  const bool asks_low = (inside & ((1u << in_low) - 1)) != 0, asks_high = inside >> in_low != 0;
  const auto low = first[asks_low ? 0 : 1], high = first[asks_high ? 1 : 0];
  shift_words(words, low, high, off);
}

// @helper load_shifted_pairs needs load_shifted_words
template <int kLanes, class Element>
__device__ inline void load_shifted_pairs(unsigned* pairs, const Element* from) {
#pragma unroll
  for (int i = 0; i < kLanes; i += 8) load_shifted_words(pairs + i / 2, from + i);
}
// Of those that are inside.
template <int kLanes, class Element>
__device__ inline void load_shifted_pairs(unsigned* pairs, const Element* from, unsigned inside) {
#pragma unroll
  for (int i = 0; i < kLanes; i += 8) {
    const unsigned own = inside >> i & 255;
    if (own != 0) load_shifted_words(pairs + i / 2, from + i, own);
  }
}

// @helper load_shifted needs load_shifted_words
template <class Element, class Register>
__device__ inline void widen_words(Register* lanes, const unsigned* words) {
#pragma unroll
  for (int i = 0; i < int(16 / sizeof(Element)); ++i) {
    if constexpr (sizeof(Element) == 4) {
      union {
        unsigned bits;
        Element value;
      } both = {words[i]};
      lanes[i] = Register(both.value);
    } else {
      lanes[i] = i % 2 == 0 ? Element::low(words[i / 2]) : Element::high(words[i / 2]);
    }
  }
}
template <class Register, class Element, int kLanes>
__device__ inline void load_shifted(Register (&lanes)[kLanes], const Element* from) {
  constexpr int kEach = 16 / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    unsigned words[4];
    load_shifted_words(words, from + first);
    widen_words<Element>(lanes + first, words);
  }
}
// Of those that are inside.
template <class Register, class Element, int kLanes>
__device__ inline void load_shifted(Register (&lanes)[kLanes], const Element* from,
                                    unsigned inside) {
  constexpr int kEach = 16 / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    unsigned words[4] = {};
    const unsigned own = inside >> first & ((1u << kEach) - 1);
    if (own != 0) load_shifted_words(words, from + first, own);
    widen_words<Element>(lanes + first, words);
  }
}

// @helper store_each
template <class Element, class Register, int kLanes>
__device__ inline void store_each(Element* to, const Register (&lanes)[kLanes], unsigned inside) {
#pragma unroll
  for (int i = 0; i < kLanes; ++i) {
    const Element element(lanes[i]);
    if ((inside >> i & 1) != 0) to[i] = element;
  }
}

// @helper store_wide_inside needs store_wide store_each
// Those that are inside, and most often all are.
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void store_wide_inside(Element* to, const Element (&lanes)[kLanes],
                                         unsigned inside) {
  if (inside == (1u << kLanes) - 1) {
    store_wide<kBytes, Access>(to, lanes);
  } else {
    store_each(to, lanes, inside);
  }
}

// @helper store_rounded_inside needs Wide Cached
// Those that are inside, and most often all are. Rounded before that is asked for: by then nothing else is held.
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void store_rounded_inside(Element* to, const float (&lanes)[kLanes],
                                            unsigned inside) {
  using Chunk = Wide<unsigned, kBytes / 4>;
  constexpr int kEach = kBytes / sizeof(Element);
  Chunk chunks[kLanes / kEach];
#pragma unroll
  for (int i = 0; i < kLanes; i += 2) {
    chunks[i / kEach].at[i % kEach / 2] = Element::pair(lanes[i], lanes[i + 1]);
  }
  if (inside == (1u << kLanes) - 1) {
#pragma unroll
    for (int i = 0; i < kLanes / kEach; ++i) {
      Access::store(reinterpret_cast<Chunk*>(to + i * kEach), chunks[i]);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < kLanes; ++i) {
    const unsigned pair = chunks[i / kEach].at[i % kEach / 2];
    if ((inside >> i & 1) != 0) to[i].bits = static_cast<unsigned short>(pair >> i % 2 * 16);
  }
}

// @helper lanes_before
// A bit for each of the first lanes.
template <int kLanes, class Count>
__device__ inline unsigned lanes_before(Count count) {
  return (1u << (count < 0 ? 0 : count > kLanes ? kLanes : int(count))) - 1;
}

}  // namespace ridge
