// launched with input 0, input 1, output 0, output 1
// fused_mul_abs_64d1e393
// ops: mul, abs

extern "C" __global__ void __launch_bounds__(64)
fused_mul_abs_64d1e393(
    const float* __restrict__ x_0,
    const float* __restrict__ y_1,
    float* __restrict__ b2_2,
    float* __restrict__ b3_3) {
  const int i2 = int(threadIdx.x);
  if (i2 < 48) {
    const float x = x_0[i2];
    const float y = y_1[i2];
    const float mul_2 = x * y;
    b2_2[i2] = mul_2;
    const float abs_2 = fabsf(mul_2);
    b3_3[i2] = abs_2;
  }
}
