// launched with input 0, input 1, output 0
// fused_floor_div_remainder_maximum_ae320e1c
// ops: floor_div, remainder, maximum
namespace ridge {

// In host memory, which the host reads after the kernel. Any one of several errors will do.
__device__ inline void set_status(int* status, int value) { *(volatile int*)status = value; }

template <class T>
__device__ inline T floor_div(T a, T b) {
  if (b == -1) return static_cast<T>(0ull - static_cast<unsigned long long>(a));
  const T quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

template <class T>
__device__ inline T mod(T a, T b) {
  if (b == -1) return 0;
  const T rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// A divisor of 0 is reported, and the result is 0.
template <class T>
__device__ inline bool checked_divisor(T b, int& wrong) {
  wrong = b != 0 ? wrong : 2;
  return b != 0;
}

template <class T>
__device__ inline T floor_div(T a, T b, int& wrong) {
  return checked_divisor(b, wrong) ? floor_div(a, b) : 0;
}

__device__ inline int max(int a, int b) { return a < b ? b : a; }
__device__ inline long long max(long long a, long long b) { return a < b ? b : a; }
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(64)
fused_floor_div_remainder_maximum_ae320e1c(
    const long long* __restrict__ x_0,
    const long long* __restrict__ y_1,
    long long* __restrict__ b5_3,
    int* status) {
  const int i2 = int(threadIdx.x);
  int wrong = 0;
  if (i2 < 40) {
    const long long x = x_0[i2];
    const long long y = y_1[i2];
    const long long floor_div_2 = ridge::floor_div(x, y, wrong);
    const int remainder = int(ridge::mod(floor_div_2, 7LL));
    const long long maximum = ridge::max((long long)remainder, x);
    b5_3[i2] = maximum;
  }
  if (wrong != 0) ridge::set_status(status, wrong);
}
