// launched with input 1, input 0, output 0
// fused_batched_matmul_mul_005a0797
// ops: batched_matmul, mul
namespace ridge {

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
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(256)
fused_batched_matmul_mul_005a0797(
    const float* __restrict__ k_1,
    const float* __restrict__ q_0,
    float* __restrict__ b5_3) {
  const int i0 = int(blockIdx.x / 1u / 1u);
  const int i8 = int(threadIdx.x);
  __shared__ __align__(16) float lhs_tile[576];
  __shared__ __align__(16) float rhs_tile[576];
  float sums[4];
  float lhs_part[2];
  float rhs_part[2];
  #pragma unroll
  for (int i10 = 0; i10 < 4; ++i10) {
    const float v2 = 0.0f;
    sums[i10] = v2;
  }
  for (int i9 = 0; i9 < 1; ++i9) {
    #pragma unroll
    for (int i11 = 0; i11 < 1; ++i11) {
      if (i11 * 256 + i8 < 128) {
        if (i8 >> 2 < 8) {
          float q_0_lanes[4];
          ridge::load_wide<16>(q_0_lanes, &q_0[128 * i0 + 4 * i8]);
          #pragma unroll
          for (int i12 = 0; i12 < 4; ++i12) {
            const float v3 = q_0_lanes[i12];
            lhs_tile[36 * i12 + (i8 >> 2) + 144 * (i8 & 3)] = v3;
          }
        }
        if (!(i8 >> 2 < 8)) {
          const float v4 = 0.0f;
          #pragma unroll
          for (int i12 = 0; i12 < 4; ++i12) {
            lhs_tile[36 * i12 + (i8 >> 2) + 144 * (i8 & 3)] = v4;
          }
        }
      }
    }
    #pragma unroll
    for (int i13 = 0; i13 < 1; ++i13) {
      if (i13 * 256 + i8 < 128) {
        if (i8 >> 2 < 10) {
          float k_1_lanes[4];
          ridge::load_wide<16>(k_1_lanes, &k_1[160 * i0 + 4 * i8]);
          #pragma unroll
          for (int i14 = 0; i14 < 4; ++i14) {
            const float v5 = k_1_lanes[i14];
            rhs_tile[36 * i14 + (i8 >> 2) + 144 * (i8 & 3)] = v5;
          }
        }
        if (!(i8 >> 2 < 10)) {
          const float v6 = 0.0f;
          #pragma unroll
          for (int i14 = 0; i14 < 4; ++i14) {
            rhs_tile[36 * i14 + (i8 >> 2) + 144 * (i8 & 3)] = v6;
          }
        }
      }
    }
    __syncthreads();
    if (i8 >> 4 < 4 && (i8 & 15) < 5) {
      for (int i15 = 0; i15 < 16; ++i15) {
        #pragma unroll
        for (int i16 = 0; i16 < 1; ++i16) {
          float lhs_tile_lanes[2];
          ridge::load_wide<8>(lhs_tile_lanes, &lhs_tile[36 * i15 + 2 * (i8 >> 4)]);
          #pragma unroll
          for (int i17 = 0; i17 < 2; ++i17) {
            const float v7 = lhs_tile_lanes[i17];
            lhs_part[i16 * 2 + i17] = v7;
          }
        }
        #pragma unroll
        for (int i18 = 0; i18 < 1; ++i18) {
          float rhs_tile_lanes[2];
          ridge::load_wide<8>(rhs_tile_lanes, &rhs_tile[36 * i15 + 2 * (i8 & 15)]);
          #pragma unroll
          for (int i19 = 0; i19 < 2; ++i19) {
            const float v8 = rhs_tile_lanes[i19];
            rhs_part[i18 * 2 + i19] = v8;
          }
        }
        #pragma unroll
        for (int i20 = 0; i20 < 2; ++i20) {
          #pragma unroll
          for (int i21 = 0; i21 < 2; ++i21) {
            const float v9 = __fmaf_rn(lhs_part[i20], rhs_part[i21], sums[2 * i20 + i21]);
            sums[2 * i20 + i21] = v9;
          }
        }
      }
    }
    __syncthreads();
  }
  for (int i22 = 0; i22 < 1; ++i22) {
    #pragma unroll
    for (int i23 = 0; i23 < 2; ++i23) {
      if (i23 + 2 * (i8 >> 4) < 8) {
        #pragma unroll
        for (int i24 = 0; i24 < 1; ++i24) {
          if ((i8 & 15) < 5) {
            float b5_3_lanes[2];
            #pragma unroll
            for (int i25 = 0; i25 < 2; ++i25) {
              const float product = sums[2 * i23 + i25];
              const float mul_2 = product * 0.25f;
              b5_3_lanes[i25] = mul_2;
            }
            ridge::store_wide<8>(&b5_3[80 * i0 + 10 * i23 + 20 * (i8 >> 4) + 2 * (i8 & 15)], b5_3_lanes);
          }
        }
      }
    }
  }
}
