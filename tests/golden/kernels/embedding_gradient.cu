// launched with input 0, output 0, input 1, input 2
// scatter_add_b651b304
// ops: scatter_add
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

// In host memory, which the host reads after the kernel. Any one of several errors will do.
__device__ inline void set_status(int* status, int value) { *(volatile int*)status = value; }

__device__ inline long long checked_index(long long index, long long extent, int& wrong) {
  using Word = unsigned long long;
  const bool is_inside = static_cast<Word>(index) < static_cast<Word>(extent);
  wrong = is_inside ? wrong : 1;
  return is_inside ? index : 0;
}

struct Any {
  __device__ bool operator()(bool a, bool b) const { return a | b; }
};

// A tree reduction of a list in registers.
template <class T, int kCount, class Combine>
__device__ inline T tree_reduce(const T (&list)[kCount], Combine combine) {
  if constexpr (kCount == 1) {
    return list[0];
  } else {
    constexpr int kHalf = (kCount + 1) / 2;
    T halves[kHalf];
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      halves[i] = i + kHalf < kCount ? combine(list[i], list[i + kHalf]) : list[i];
    }
    return tree_reduce(halves, combine);
  }
}
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(128)
scatter_add_b651b304(
    const float* w_0,
    float* b5_3,
    const long long* index_1,
    const float* grad_2,
    int* status) {
  const int i1 = int(blockIdx.x % 64u);
  const int i2 = int(threadIdx.x);
  __shared__ __align__(16) int slots[1024];
  __shared__ __align__(16) ridge::bool8 hits[128];
  __shared__ __align__(16) ridge::bool8 runs[4];
  int wrong = 0;
  #pragma unroll
  for (int i4 = 0; i4 < 2; ++i4) {
    if (i2 < 64 && i1 + 64 * i4 < 100) {
      float w_0_lanes[4];
      ridge::load_wide<16>(w_0_lanes, &w_0[256 * i1 + 4 * i2 + 16384 * i4]);
      float b5_3_lanes[4];
      #pragma unroll
      for (int i3 = 0; i3 < 4; ++i3) {
        const float w = w_0_lanes[i3];
        const float initial = w;
        b5_3_lanes[i3] = initial;
      }
      ridge::store_wide<16>(&b5_3[256 * i1 + 4 * i2 + 16384 * i4], b5_3_lanes);
    }
  }
  for (int i5 = 0; i5 < 1; ++i5) {
    bool hit = false;
    if (i2 < 5) {
      bool hit_lanes[8];
      long long index_1_lanes[8];
      ridge::load_wide<16>(index_1_lanes, &index_1[8 * i2]);
      int slots_lanes[8];
      #pragma unroll
      for (int i6 = 0; i6 < 8; ++i6) {
        const long long index = index_1_lanes[i6];
        const int slot = int(ridge::checked_index(index, 100, wrong));
        const int mine = i1 == (slot & 63) ? slot >> 6 : -1;
        slots_lanes[i6] = mine;
        const bool is_mine = 0 <= mine;
        hit_lanes[i6] = is_mine;
      }
      ridge::store_wide<16>(&slots[8 * i2], slots_lanes);
      hit |= ridge::tree_reduce(hit_lanes, ridge::Any());
    }
    hits[i2] = ridge::bool8(hit);
    hit = __any_sync(0xffffffffu, hit);
    if ((i2 & 31) == 0) {
      runs[i2 >> 5] = ridge::bool8(hit);
    }
    __syncthreads();
    if (i2 < 64) {
      for (int i7 = 0; i7 < 4; ++i7) {
        if (bool(runs[i7])) {
          for (int i8 = 0; i8 < 32; ++i8) {
            if (bool(hits[32 * i7 + i8])) {
              #pragma unroll
              for (int i9 = 0; i9 < 8; ++i9) {
                const int mine_2 = slots[(i7 * 32 + i8) * 8 + i9];
                if (0 <= mine_2) {
                  float grad_2_lanes[4];
                  ridge::load_wide<16>(grad_2_lanes, &grad_2[4 * i2 + 65536 * i7 + 2048 * i8 + 256 * i9]);
                  float b5_3_lanes_2[4];
                  ridge::load_wide<16>(b5_3_lanes_2, &b5_3[256 * i1 + 4 * i2 + 16384LL * mine_2]);
                  float b5_3_lanes_3[4];
                  #pragma unroll
                  for (int i3 = 0; i3 < 4; ++i3) {
                    const float grad = grad_2_lanes[i3];
                    const float scatter_add = grad;
                    const float before = b5_3_lanes_2[i3];
                    const float scatter_add_2 = before + scatter_add;
                    b5_3_lanes_3[i3] = scatter_add_2;
                  }
                  ridge::store_wide<16>(&b5_3[256 * i1 + 4 * i2 + 16384LL * mine_2], b5_3_lanes_3);
                }
              }
            }
          }
        }
      }
    }
    __syncthreads();
  }
  if (wrong != 0) ridge::set_status(status, wrong);
}
