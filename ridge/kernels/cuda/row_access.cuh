// Rows in registers: packed two elements to a register, misaligned loads, accesses under a lane mask.
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
// Element by element, for misaligned rows.
template <int kLanes, class Element>
__device__ inline void gather_packed(unsigned* pairs, const Element* from) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; ++i) {
    pairs[i] = from[2 * i].bits | unsigned(from[2 * i + 1].bits) << 16;
  }
}
template <int kLanes, class Element>
__device__ inline void gather_packed(unsigned* pairs, const Element* from, unsigned mask) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; ++i) {
    const unsigned low = (mask >> 2 * i & 1) != 0 ? from[2 * i].bits : 0;
    const unsigned high = (mask >> (2 * i + 1) & 1) != 0 ? from[2 * i + 1].bits : 0;
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

// @ptx_helper opaque
// The same value, but opaque to the compiler: it can neither hoist what is made of it nor see how it was made.
__device__ inline unsigned opaque(unsigned pair) {
  asm volatile("" : "+r"(pair));
  return pair;
}

// @helper unpack_no_hoist needs unpack opaque
template <class Element, int kLanes>
__device__ inline void unpack_no_hoist(float (&lanes)[kLanes], const unsigned* pairs) {
  unsigned here[kLanes / 2];
#pragma unroll
  for (int i = 0; i < kLanes / 2; ++i) here[i] = opaque(pairs[i]);
  unpack<Element>(lanes, here);
}

// @helper load_packed_streaming needs streaming
template <int kBytes, int kLanes, class Element>
__device__ inline void load_packed_streaming(unsigned* pairs, const Element* from) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; i += kBytes / 4) {
    const auto chunk =
        load_streaming(reinterpret_cast<const Wide<unsigned, kBytes / 4>*>(from + 2 * i));
#pragma unroll
    for (int k = 0; k < kBytes / 4; ++k) pairs[i + k] = chunk.at[k];
  }
}

// @helper load_misaligned_words needs Wide
// Two aligned words of 16 bytes are loaded and shifted. Under a mask, a word without an active element is not
// loaded: it may lie outside of the array.
// The 16 bytes at offset `off` in two words of 16. `off` is even.
__device__ inline void align_words(unsigned* words, const Wide<unsigned, 4>& low,
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
__device__ inline unsigned misalignment(const Element* from) {
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>(from)) & 15;
}
template <class Element>
__device__ inline const Wide<unsigned, 4>* aligned_word(const Element* from) {
  const char* const byte = reinterpret_cast<const char*>(from) - misalignment(from);
  return reinterpret_cast<const Wide<unsigned, 4>*>(byte);
}
// From an address that is aligned to an element only.
template <class Element>
__device__ inline void load_misaligned_words(unsigned* words, const Element* from) {
  const unsigned off = misalignment(from);
  const auto* const first = aligned_word(from);
  const auto low = first[0], high = first[off == 0 ? 0 : 1];
  align_words(words, low, high, off);
}
// Only active lanes get a value. At least one is active.
template <class Element>
__device__ inline void load_misaligned_words(unsigned* words, const Element* from, unsigned mask) {
  const unsigned off = misalignment(from), in_low = (16 - off) / sizeof(Element);
  const auto* const first = aligned_word(from);
  const bool needs_low = (mask & ((1u << in_low) - 1)) != 0, needs_high = mask >> in_low != 0;
  const auto low = first[needs_low ? 0 : 1], high = first[needs_high ? 1 : 0];
  align_words(words, low, high, off);
}

// @helper load_misaligned_pairs needs load_misaligned_words
template <int kLanes, class Element>
__device__ inline void load_misaligned_pairs(unsigned* pairs, const Element* from) {
#pragma unroll
  for (int i = 0; i < kLanes; i += 8) load_misaligned_words(pairs + i / 2, from + i);
}
// Of active lanes.
template <int kLanes, class Element>
__device__ inline void load_misaligned_pairs(unsigned* pairs, const Element* from, unsigned mask) {
#pragma unroll
  for (int i = 0; i < kLanes; i += 8) {
    const unsigned own = mask >> i & 255;
    if (own != 0) load_misaligned_words(pairs + i / 2, from + i, own);
  }
}

// @helper load_misaligned needs load_misaligned_words
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
__device__ inline void load_misaligned(Register (&lanes)[kLanes], const Element* from) {
  constexpr int kEach = 16 / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    unsigned words[4];
    load_misaligned_words(words, from + first);
    widen_words<Element>(lanes + first, words);
  }
}
// Of active lanes.
template <class Register, class Element, int kLanes>
__device__ inline void load_misaligned(Register (&lanes)[kLanes], const Element* from,
                                       unsigned mask) {
  constexpr int kEach = 16 / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    unsigned words[4] = {};
    const unsigned own = mask >> first & ((1u << kEach) - 1);
    if (own != 0) load_misaligned_words(words, from + first, own);
    widen_words<Element>(lanes + first, words);
  }
}

// @helper store_masked
template <class Element, class Register, int kLanes>
__device__ inline void store_masked(Element* to, const Register (&lanes)[kLanes], unsigned mask) {
#pragma unroll
  for (int i = 0; i < kLanes; ++i) {
    const Element element(lanes[i]);
    if ((mask >> i & 1) != 0) to[i] = element;
  }
}

// @helper store_wide_masked needs store_wide store_masked
// Active lanes only; most often all are active.
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void store_wide_masked(Element* to, const Element (&lanes)[kLanes],
                                         unsigned mask) {
  if (mask == (1u << kLanes) - 1) {
    store_wide<kBytes, Access>(to, lanes);
  } else {
    store_masked(to, lanes, mask);
  }
}

// @helper store_rounded_masked needs Wide Cached
// Active lanes only; most often all are active. Rounds before it branches, which takes fewer live registers.
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void store_rounded_masked(Element* to, const float (&lanes)[kLanes],
                                            unsigned mask) {
  using Chunk = Wide<unsigned, kBytes / 4>;
  constexpr int kEach = kBytes / sizeof(Element);
  Chunk chunks[kLanes / kEach];
#pragma unroll
  for (int i = 0; i < kLanes; i += 2) {
    chunks[i / kEach].at[i % kEach / 2] = Element::pair(lanes[i], lanes[i + 1]);
  }
  if (mask == (1u << kLanes) - 1) {
#pragma unroll
    for (int i = 0; i < kLanes / kEach; ++i) {
      Access::store(reinterpret_cast<Chunk*>(to + i * kEach), chunks[i]);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < kLanes; ++i) {
    const unsigned pair = chunks[i / kEach].at[i % kEach / 2];
    if ((mask >> i & 1) != 0) to[i].bits = static_cast<unsigned short>(pair >> i % 2 * 16);
  }
}

// @helper first_lanes_mask
// A mask of the first `count` lanes.
template <int kLanes, class Count>
__device__ inline unsigned first_lanes_mask(Count count) {
  return (1u << (count < 0 ? 0 : count > kLanes ? kLanes : int(count))) - 1;
}

}  // namespace ridge
