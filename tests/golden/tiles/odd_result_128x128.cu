extern "C" __global__ void __launch_bounds__(288, 1)
odd_result_128x128(
    const __grid_constant__ ridge::TensorMap a_map,
    const __grid_constant__ ridge::TensorMap b_map,
    ridge::bf16* out,
    int m,
    int n,
    int k) {
  extern __shared__ __align__(1024) unsigned char shared_bytes[];
  const unsigned shared = ridge::shared_address(shared_bytes);
  const unsigned lhs = shared + 0;  // 5 slots of 16384 bytes
  const unsigned rhs = shared + 81920;  // 5 slots of 16384 bytes
  ridge::Mbarrier* const stages_full = reinterpret_cast<ridge::Mbarrier*>(shared_bytes + 163840);
  ridge::Mbarrier* const stages_empty = reinterpret_cast<ridge::Mbarrier*>(shared_bytes + 163880);
  const int warp = ridge::uniform(int(threadIdx.x) / 32);
  if (threadIdx.x == 0) {
    ridge::prefetch_tensor_map(&a_map);
    ridge::prefetch_tensor_map(&b_map);
    for (int slot = 0; slot < 5; ++slot) {
      ridge::mbarrier_init(&stages_full[slot], 1);
      ridge::mbarrier_init(&stages_empty[slot], 8);
    }
    ridge::fence_mbarrier_init();
  }
  __syncthreads();
  if (warp < 8) {  // math: 2 warpgroups
    ridge::take_registers<232>();
    [[maybe_unused]] const int i5 = warp / 4;
    [[maybe_unused]] const int thread = int(threadIdx.x) % 128;
    [[maybe_unused]] const int row = ridge::accumulator_row(thread, 0), quad = thread % 4;
    float sum[64];
    [[maybe_unused]] int sum_is_set = 0;
    unsigned stages = 0;
    const int i0_extent = (m + 127) >> 7;
    const int i1_extent = (n + 127) >> 7;
    for (int tile = int(blockIdx.x); tile < i0_extent * i1_extent; tile += int(gridDim.x)) {
      int i0, i1;
      ridge::grouped_tile<8>(tile, i0_extent, i1_extent, i0, i1);
      sum_is_set = 0;
      for (int i2 = 0; i2 < (k + 63) >> 6; ++i2) {
        {
          const unsigned stages_slot = stages % 5;
          ridge::mbarrier_wait(&stages_full[stages_slot], stages / 5 % 2);
          {
            const unsigned lhs_place = ridge::uniform(ridge::descriptor_place(lhs + 16384 * stages_slot + ridge::tile_offset<128, false>(128, 64 * i5, 0), 16));
            const unsigned rhs_place = ridge::uniform(ridge::descriptor_place(rhs + 16384 * stages_slot, 16));
            ridge::pin<64>(sum);
            ridge::wgmma_fence();
            #pragma unroll
            for (int k_2 = 0; k_2 < 64; k_2 += 16) {
              ridge::wgmma_m64n128k16_bf16<0, 0>(
                  &sum[0], ridge::descriptor(lhs_place + (ridge::tile_offset<128, false>(128, 0, 2 * k_2) >> 4), ridge::descriptor_form<128>()),
                  ridge::descriptor(rhs_place + (ridge::tile_offset<128, false>(128, 0, 2 * k_2) >> 4), ridge::descriptor_form<128>()), sum_is_set | (k_2 > 0));
            }
            ridge::wgmma_commit();
            ridge::pin<64>(sum);
            sum_is_set = 1;
          }
          ridge::wgmma_wait<0>();
          ridge::pin<64>(sum);
          __syncwarp();
          if (ridge::is_elected()) ridge::mbarrier_arrive(&stages_empty[stages_slot]);
          ++stages;
        }
      }
      if (!sum_is_set) {
        #pragma unroll
        for (int r = 0; r < 64; ++r) sum[r] = 0.0f;
        sum_is_set = 1;
      }
      const bool is_inside = 64 <= m - 128 * i0 - 64 * i5 && 128 <= n - 128 * i1;
      if (is_inside) {
        #pragma unroll
        for (int i9 = 0; i9 < 16; ++i9) {
          #pragma unroll
          for (int i10 = 0; i10 < 2; ++i10) {
            #pragma unroll
            for (int i11 = 0; i11 < 2; ++i11) {
              const float v1 = sum[4 * i9 + (2 * i10 + i11)];
              out[n * (128 * i0 + 64 * i5 + (8 * i10 + row)) + 128 * i1 + (8 * i9 + 2 * quad + i11)] = ridge::bf16(v1);
            }
          }
        }
      }
      if (!is_inside) {
        #pragma unroll
        for (int i12 = 0; i12 < 16; ++i12) {
          #pragma unroll
          for (int i13 = 0; i13 < 2; ++i13) {
            #pragma unroll
            for (int i14 = 0; i14 < 2; ++i14) {
              if (8 * i13 + row < m - 128 * i0 - 64 * i5 && 8 * i12 + 2 * quad + i14 < n - 128 * i1) {
                const float v2 = sum[4 * i12 + (2 * i13 + i14)];
                out[n * (128 * i0 + 64 * i5 + (8 * i13 + row)) + 128 * i1 + (8 * i12 + 2 * quad + i14)] = ridge::bf16(v2);
              }
            }
          }
        }
      }
    }
  } else {  // load
    ridge::give_registers<40>();
    [[maybe_unused]] const int thread = int(threadIdx.x) % 32;
    unsigned stages = 0;
    const int i0_extent = (m + 127) >> 7;
    const int i1_extent = (n + 127) >> 7;
    for (int tile = int(blockIdx.x); tile < i0_extent * i1_extent; tile += int(gridDim.x)) {
      int i0, i1;
      ridge::grouped_tile<8>(tile, i0_extent, i1_extent, i0, i1);
      for (int i2 = 0; i2 < (k + 63) >> 6; ++i2) {
        {
          const unsigned stages_slot = stages % 5;
          ridge::mbarrier_wait(&stages_empty[stages_slot], stages / 5 % 2 ^ 1);
          if (ridge::is_elected()) {
            ridge::mbarrier_arrive_expect_tx(&stages_full[stages_slot], 32768);
            ridge::load_box(lhs + 16384 * stages_slot, &a_map, &stages_full[stages_slot], 64 * i2, 128 * i0);
            ridge::load_box(rhs + 16384 * stages_slot, &b_map, &stages_full[stages_slot], 64 * i2, 128 * i1);
          }
          __syncwarp();
          ++stages;
        }
      }
    }
  }
}
