// launched with input 0, output 0
// permute_1adf20aa
// ops: permute
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

extern "C" __global__ void __launch_bounds__(128)
permute_1adf20aa(
    const float* __restrict__ x_0,
    float* __restrict__ b1_1) {
  const int i5 = int(threadIdx.x % 4u);
  const int i4 = int(threadIdx.x / 4u);
  __shared__ __align__(16) float x_0_tile[512];
  float x_0_registers[4];
  #pragma unroll
  for (int i6 = 0; i6 < 1; ++i6) {
    if (i5 + 4 * (i4 & 1) < 6) {
      float x_0_lanes[4];
      ridge::load_wide<16>(x_0_lanes, &x_0[4 * i5 + 24 * (i4 >> 1) + 16 * (i4 & 1)]);
      #pragma unroll
      for (int i7 = 0; i7 < 4; ++i7) {
        const float x_0_2 = x_0_lanes[i7];
        x_0_registers[i7] = x_0_2;
      }
    }
  }
  #pragma unroll
  for (int i6 = 0; i6 < 1; ++i6) {
    if (i5 + 4 * (i4 & 1) < 6) {
      float x_0_tile_lanes[4];
      #pragma unroll
      for (int i7 = 0; i7 < 4; ++i7) {
        const float x_0_3 = x_0_registers[i7];
        x_0_tile_lanes[i7] = x_0_3;
      }
      ridge::store_wide<16>(&x_0_tile[32 * (i4 >> 1) + 4 * ((4 * i4 + i5 + (i4 >> 3)) & 7)], x_0_tile_lanes);
    }
  }
  __syncthreads();
  #pragma unroll
  for (int i8 = 0; i8 < 1; ++i8) {
    if (i4 < 24) {
      float b1_1_lanes[4];
      #pragma unroll
      for (int i9 = 0; i9 < 4; ++i9) {
        const float x = x_0_tile[128 * i5 + 32 * i9 + (i4 & 3) + 4 * ((i5 + (i4 >> 2)) & 7)];
        const float permute = x;
        b1_1_lanes[i9] = permute;
      }
      ridge::store_wide<16>(&b1_1[16 * i4 + 4 * i5], b1_1_lanes);
    }
  }
}
