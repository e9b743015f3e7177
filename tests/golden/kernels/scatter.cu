// launched with input 0, output 0, input 1, input 2
// scatter_add_802ec0d9
// ops: scatter_add
namespace ridge {

// In host memory, which the host reads after the kernel. Any one of several errors will do.
__device__ inline void set_status(int* status, int value) { *(volatile int*)status = value; }

__device__ inline long long checked_index(long long index, long long extent, int& wrong) {
  using Word = unsigned long long;
  const bool is_inside = static_cast<Word>(index) < static_cast<Word>(extent);
  wrong = is_inside ? wrong : 1;
  return is_inside ? index : 0;
}
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(32)
scatter_add_802ec0d9(
    const float* x_0,
    float* b3_3,
    const long long* index_1,
    const float* from_2,
    int* status) {
  const int i1 = int(blockIdx.x % 4u);
  const int i2 = int(threadIdx.x);
  int wrong = 0;
  #pragma unroll
  for (int i3 = 0; i3 < 13; ++i3) {
    if (i2 < 20 && i1 + 4 * i3 < 50) {
      const float x = x_0[20 * i1 + i2 + 80 * i3];
      const float initial = x;
      b3_3[20 * i1 + i2 + 80 * i3] = initial;
    }
  }
  if (i2 < 20) {
    #pragma unroll
    for (int i4 = 0; i4 < 7; ++i4) {
      const long long index = index_1[i2 + 20 * i4];
      const int slot = int(ridge::checked_index(index, 50, wrong));
      if (i1 == (slot & 3)) {
        const float from = from_2[i2 + 20 * i4];
        const float scatter_add = from;
        const float before = b3_3[i2 + 20 * slot];
        const float scatter_add_2 = before + scatter_add;
        b3_3[i2 + 20 * slot] = scatter_add_2;
      }
    }
  }
  if (wrong != 0) ridge::set_status(status, wrong);
}
