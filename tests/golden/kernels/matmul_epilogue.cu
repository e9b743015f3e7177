// launched with input 1, input 0, input 2, output 0
// fused_batched_matmul_add_relu_85787949
// ops: batched_matmul, add, relu
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
fused_batched_matmul_add_relu_85787949(
    const float* __restrict__ w_1,
    const float* __restrict__ x_0,
    const float* __restrict__ bias_2,
    float* __restrict__ b5_3) {
  const int i7 = int(threadIdx.x);
  __shared__ __align__(16) float lhs_tile[576];
  __shared__ __align__(16) float rhs_tile[576];
  float sums[4];
  float lhs_part[2];
  float rhs_part[2];
  #pragma unroll
  for (int i9 = 0; i9 < 4; ++i9) {
    const float v4 = 0.0f;
    sums[i9] = v4;
  }
  for (int i8 = 0; i8 < 1; ++i8) {
    #pragma unroll
    for (int i10 = 0; i10 < 1; ++i10) {
      if (i10 * 256 + i7 < 128) {
        if (i7 >> 2 < 12) {
          float x_0_lanes[4];
          ridge::load_wide<16>(x_0_lanes, &x_0[4 * i7]);
          #pragma unroll
          for (int i11 = 0; i11 < 4; ++i11) {
            const float v5 = x_0_lanes[i11];
            lhs_tile[36 * i11 + (i7 >> 2) + 144 * (i7 & 3)] = v5;
          }
        }
        if (!(i7 >> 2 < 12)) {
          const float v6 = 0.0f;
          #pragma unroll
          for (int i11 = 0; i11 < 4; ++i11) {
            lhs_tile[36 * i11 + (i7 >> 2) + 144 * (i7 & 3)] = v6;
          }
        }
      }
    }
    #pragma unroll
    for (int i12 = 0; i12 < 1; ++i12) {
      if (i12 * 256 + i7 < 128) {
        if (i7 >> 3 < 16 && (i7 & 7) < 6) {
          float w_1_lanes[4];
          ridge::load_wide<16>(w_1_lanes, &w_1[24 * (i7 >> 3) + 4 * (i7 & 7)]);
          float rhs_tile_lanes[4];
          #pragma unroll
          for (int i13 = 0; i13 < 4; ++i13) {
            const float v7 = w_1_lanes[i13];
            rhs_tile_lanes[i13] = v7;
          }
          ridge::store_wide<16>(&rhs_tile[36 * (i7 >> 3) + 4 * (i7 & 7)], rhs_tile_lanes);
        }
        if (!(i7 >> 3 < 16 && (i7 & 7) < 6)) {
          const float v8 = 0.0f;
          float rhs_tile_lanes_2[4];
          #pragma unroll
          for (int i13 = 0; i13 < 4; ++i13) {
            rhs_tile_lanes_2[i13] = v8;
          }
          ridge::store_wide<16>(&rhs_tile[36 * (i7 >> 3) + 4 * (i7 & 7)], rhs_tile_lanes_2);
        }
      }
    }
    __syncthreads();
    if (i7 >> 4 < 6 && (i7 & 15) < 12) {
      for (int i14 = 0; i14 < 16; ++i14) {
        #pragma unroll
        for (int i15 = 0; i15 < 1; ++i15) {
          float lhs_tile_lanes[2];
          ridge::load_wide<8>(lhs_tile_lanes, &lhs_tile[36 * i14 + 2 * (i7 >> 4)]);
          #pragma unroll
          for (int i16 = 0; i16 < 2; ++i16) {
            const float v9 = lhs_tile_lanes[i16];
            lhs_part[i15 * 2 + i16] = v9;
          }
        }
        #pragma unroll
        for (int i17 = 0; i17 < 1; ++i17) {
          float rhs_tile_lanes_3[2];
          ridge::load_wide<8>(rhs_tile_lanes_3, &rhs_tile[36 * i14 + 2 * (i7 & 15)]);
          #pragma unroll
          for (int i18 = 0; i18 < 2; ++i18) {
            const float v10 = rhs_tile_lanes_3[i18];
            rhs_part[i17 * 2 + i18] = v10;
          }
        }
        #pragma unroll
        for (int i19 = 0; i19 < 2; ++i19) {
          #pragma unroll
          for (int i20 = 0; i20 < 2; ++i20) {
            const float v11 = __fmaf_rn(lhs_part[i19], rhs_part[i20], sums[2 * i19 + i20]);
            sums[2 * i19 + i20] = v11;
          }
        }
      }
    }
    __syncthreads();
  }
  for (int i21 = 0; i21 < 1; ++i21) {
    #pragma unroll
    for (int i22 = 0; i22 < 2; ++i22) {
      if (i22 + 2 * (i7 >> 4) < 12) {
        #pragma unroll
        for (int i23 = 0; i23 < 1; ++i23) {
          if ((i7 & 15) < 12) {
            float bias_2_lanes[2];
            ridge::load_wide<8>(bias_2_lanes, &bias_2[2 * (i7 & 15)]);
            float b5_3_lanes[2];
            #pragma unroll
            for (int i24 = 0; i24 < 2; ++i24) {
              const float product = sums[2 * i22 + i24];
              const float bias = bias_2_lanes[i24];
              const float add_2 = product + bias;
              const float relu = add_2 <= 0.0f ? 0.0f : add_2;
              b5_3_lanes[i24] = relu;
            }
            ridge::store_wide<8>(&b5_3[24 * i22 + 48 * (i7 >> 4) + 2 * (i7 & 15)], b5_3_lanes);
          }
        }
      }
    }
  }
}
