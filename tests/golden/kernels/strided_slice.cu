// launched with input 0, output 0
// neg_aa4c32e0
// ops: neg

extern "C" __global__ void __launch_bounds__(32)
neg_aa4c32e0(
    const float* __restrict__ x_0,
    float* __restrict__ b3_1) {
  const int i3 = int(threadIdx.x);
  if (i3 < 12) {
    const float x = x_0[36 * (i3 >> 2) + 2 * (i3 & 3) + 14];
    const float neg_2 = -x;
    b3_1[i3] = neg_2;
  }
}
