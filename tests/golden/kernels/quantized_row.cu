// launched with input 1, input 0, output 0
// fused_dequantize_batched_matmul_1baa24e0
// ops: dequantize, batched_matmul
namespace ridge {
#ifdef RIDGE_ON_HOST  // how tests bring their own
RIDGE_ON_HOST
#else
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
#endif

template <class T, int kCount>
struct alignas(sizeof(T) * kCount) Wide {
  T at[kCount];
};

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
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(256)
fused_dequantize_batched_matmul_1baa24e0(
    const unsigned char* __restrict__ byte_0_1,
    const float* __restrict__ x_0_0,
    float* __restrict__ b4_2) {
  const int i8 = int(threadIdx.x);
  __shared__ __align__(16) float lhs_tile[576];
  __shared__ __align__(16) float rhs_tile[576];
  float sums[4];
  float lhs_part[2];
  float rhs_part[2];
  #pragma unroll
  for (int i10 = 0; i10 < 4; ++i10) {
    const float v1 = 0.0f;
    sums[i10] = v1;
  }
  for (int i9 = 0; i9 < 6; ++i9) {
    #pragma unroll
    for (int i11 = 0; i11 < 1; ++i11) {
      if (i11 * 256 + i8 < 128) {
        if (i8 >> 2 < 1) {
          float x_0_0_lanes[4];
          ridge::load_wide<16>(x_0_0_lanes, &x_0_0[16 * i9 + 4 * (i8 & 3)]);
          #pragma unroll
          for (int i12 = 0; i12 < 4; ++i12) {
            const float v2 = x_0_0_lanes[i12];
            lhs_tile[36 * i12 + (i8 >> 2) + 144 * (i8 & 3)] = v2;
          }
        }
        if (!(i8 >> 2 < 1)) {
          const float v3 = 0.0f;
          #pragma unroll
          for (int i12 = 0; i12 < 4; ++i12) {
            lhs_tile[36 * i12 + (i8 >> 2) + 144 * (i8 & 3)] = v3;
          }
        }
      }
    }
    #pragma unroll
    for (int i13 = 0; i13 < 2; ++i13) {
      if ((i8 & 31) < 5) {
        const int t = 16 * i9 + 8 * i13 + (i8 >> 5);
        const int t_2 = 60 * (i8 & 31) + 20 * (t >> 5);
        const float t_3 = ridge::f16_value((unsigned short)(256 * int(byte_0_1[t_2 + 1]) + int(byte_0_1[t_2])));
        const float t_4 = ridge::f16_value((unsigned short)(int(byte_0_1[t_2 + 2]) + 256 * int(byte_0_1[t_2 + 3])));
        const float v4 = __fmaf_rn(t_3, float((int(byte_0_1[t_2 + (t & 15) + 4]) >> (4 * ((t >> 4) & 1))) & 15), t_4);
        rhs_tile[288 * i13 + 36 * (i8 >> 5) + (i8 & 31)] = v4;
      }
      if (!((i8 & 31) < 5)) {
        const float v5 = 0.0f;
        rhs_tile[288 * i13 + 36 * (i8 >> 5) + (i8 & 31)] = v5;
      }
    }
    __syncthreads();
    if (i8 >> 4 < 1 && (i8 & 15) < 3) {
      for (int i14 = 0; i14 < 16; ++i14) {
        #pragma unroll
        for (int i15 = 0; i15 < 1; ++i15) {
          float lhs_tile_lanes[2];
          ridge::load_wide<8>(lhs_tile_lanes, &lhs_tile[36 * i14 + 2 * (i8 >> 4)]);
          #pragma unroll
          for (int i16 = 0; i16 < 2; ++i16) {
            const float v6 = lhs_tile_lanes[i16];
            lhs_part[i15 * 2 + i16] = v6;
          }
        }
        #pragma unroll
        for (int i17 = 0; i17 < 1; ++i17) {
          float rhs_tile_lanes[2];
          ridge::load_wide<8>(rhs_tile_lanes, &rhs_tile[36 * i14 + 2 * (i8 & 15)]);
          #pragma unroll
          for (int i18 = 0; i18 < 2; ++i18) {
            const float v7 = rhs_tile_lanes[i18];
            rhs_part[i17 * 2 + i18] = v7;
          }
        }
        #pragma unroll
        for (int i19 = 0; i19 < 2; ++i19) {
          #pragma unroll
          for (int i20 = 0; i20 < 2; ++i20) {
            const float v8 = __fmaf_rn(lhs_part[i19], rhs_part[i20], sums[2 * i19 + i20]);
            sums[2 * i19 + i20] = v8;
          }
        }
      }
    }
    __syncthreads();
  }
  for (int i21 = 0; i21 < 1; ++i21) {
    #pragma unroll
    for (int i22 = 0; i22 < 2; ++i22) {
      if (i22 + 2 * (i8 >> 4) < 1) {
        for (int i23 = 0; i23 < 1; ++i23) {
          #pragma unroll
          for (int i24 = 0; i24 < 2; ++i24) {
            if (i24 + 2 * (i8 & 15) < 5) {
              const float product = sums[2 * i22 + i24];
              b4_2[i24 + 2 * (i8 & 15)] = product;
            }
          }
        }
      }
    }
  }
}
