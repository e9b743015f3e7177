// launched with input 5, input 4, arena at 0, arena at 64, arena at 128
// fused_add_cast_pow_sub_div_aaf70bd2
// ops: add, cast, cast, pow, sub, pow, sub, div, cast, rsqrt, cast, neg, fma, cast
namespace ridge {

__device__ inline long long wrap_add(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) + static_cast<Word>(b));
}
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(32)
fused_add_cast_pow_sub_div_aaf70bd2(
    long long* step_5,
    const float* rate_4,
    float* b18_14,
    float* b20_15,
    float* b24_16) {
  const int i1 = int(threadIdx.x);
  if (i1 < 1) {
    const long long step = step_5[0];
    const long long add_2 = ridge::wrap_add(step, 1);
    const float rate = rate_4[0];
    const double cast = double(add_2);
    const double pow_2 = pow(0.9, cast);
    const double sub_2 = 1.0 - pow_2;
    const double div_2 = double(rate) / sub_2;
    const float cast_2 = float(div_2);
    const double pow_3 = pow(0.999, cast);
    const double sub_3 = 1.0 - pow_3;
    const double rsqrt_2 = rsqrt(sub_3);
    const float cast_3 = float(rsqrt_2);
    const double neg_2 = -double(rate);
    const double fma_2 = __fma_rn(neg_2, 0.01, 1.0);
    const float cast_4 = float(fma_2);
    step_5[0] = add_2;
    b18_14[0] = cast_2;
    b20_15[0] = cast_3;
    b24_16[0] = cast_4;
  }
}

// launched with input 3, input 1, input 2, input 0, arena at 128, arena at 0, arena at 64
// fused_mul_fma_square_sqrt_div_639c5637
// ops: mul, fma, square, mul, fma, sqrt, fma, mul, div, neg, fma
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
fused_mul_fma_square_sqrt_div_639c5637(
    float* variance_3,
    const float* gradient_1,
    float* mean_2,
    float* parameter_0,
    const float* b24_16,
    const float* b18_14,
    const float* b20_15) {
  const int i2 = int(threadIdx.x);
  if (i2 < 225) {
    const float v9 = b24_16[0];
    const float v10 = b18_14[0];
    const float v13 = b20_15[0];
    float variance_3_lanes[4];
    ridge::load_wide<16>(variance_3_lanes, &variance_3[4 * i2]);
    float gradient_1_lanes[4];
    ridge::load_wide<16>(gradient_1_lanes, &gradient_1[4 * i2]);
    float mean_2_lanes[4];
    ridge::load_wide<16>(mean_2_lanes, &mean_2[4 * i2]);
    float parameter_0_lanes[4];
    ridge::load_wide<16>(parameter_0_lanes, &parameter_0[4 * i2]);
    float parameter_0_lanes_2[4];
    #pragma unroll
    for (int i3 = 0; i3 < 4; ++i3) {
      const float variance = variance_3_lanes[i3];
      const float gradient = gradient_1_lanes[i3];
      const float square = gradient * gradient;
      const float mul_2 = square * 0.001f;
      const float fma_2 = __fmaf_rn(variance, 0.999f, mul_2);
      const float mean = mean_2_lanes[i3];
      const float mul_3 = gradient * 0.1f;
      const float fma_3 = __fmaf_rn(mean, 0.9f, mul_3);
      const float parameter = parameter_0_lanes[i3];
      const float mul_4 = fma_3 * v10;
      const float sqrt_2 = sqrtf(fma_2);
      const float fma_4 = __fmaf_rn(sqrt_2, v13, 1e-08f);
      const float div_2 = mul_4 / fma_4;
      const float neg_2 = -div_2;
      const float fma_5 = __fmaf_rn(parameter, v9, neg_2);
      variance_3[4 * i2 + i3] = fma_2;
      mean_2[4 * i2 + i3] = fma_3;
      parameter_0_lanes_2[i3] = fma_5;
    }
    ridge::store_wide<16>(&parameter_0[4 * i2], parameter_0_lanes_2);
  }
}
