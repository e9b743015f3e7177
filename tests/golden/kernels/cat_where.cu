// launched with input 2, input 0, input 1, output 0
// fused_cat_where_efa14dc3
// ops: cat, where
namespace ridge {

struct bool8 {
  unsigned char bits;
  bool8() = default;
  __device__ explicit bool8(bool x) : bits(x ? 1 : 0) {}
  __device__ operator bool() const { return bits != 0; }
};

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

extern "C" __global__ void __launch_bounds__(32)
fused_cat_where_efa14dc3(
    const ridge::bool8* __restrict__ mask_2,
    const float* __restrict__ x_0,
    const float* __restrict__ y_1,
    float* __restrict__ b5_4) {
  const int i3 = int(threadIdx.x);
  bool mask_2_lanes[2];
  ridge::load_wide<2>(mask_2_lanes, &mask_2[2 * i3]);
  float x_0_lanes[2];
  if (i3 >> 2 < 3) ridge::load_wide<8>(x_0_lanes, &x_0[2 * i3]);
  float y_1_lanes[2];
  if (!(i3 >> 2 < 3)) ridge::load_wide<8>(y_1_lanes, &y_1[2 * i3 - 24]);
  float b5_4_lanes[2];
  #pragma unroll
  for (int i4 = 0; i4 < 2; ++i4) {
    const bool mask = mask_2_lanes[i4];
    float t;
    if (i3 >> 2 < 3) {
      t = x_0_lanes[i4];
    } else {
      t = y_1_lanes[i4];
    }
    const float cat = t;
    const float where = mask ? cat : 0.0f;
    b5_4_lanes[i4] = where;
  }
  ridge::store_wide<8>(&b5_4[2 * i3], b5_4_lanes);
}
