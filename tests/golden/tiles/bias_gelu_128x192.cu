extern "C" __global__ void __launch_bounds__(288, 1)
bias_gelu_128x192(
    const __grid_constant__ ridge::TensorMap a_map,
    const __grid_constant__ ridge::TensorMap b_map,
    const __grid_constant__ ridge::TensorMap out_map,
    const ridge::bf16* bias,
    int m,
    int n,
    int k) {
  extern __shared__ __align__(1024) unsigned char shared_bytes[];
  const unsigned shared = ridge::shared_address(shared_bytes);
  const unsigned lhs = shared + 0;  // 4 slots of 16384 bytes
  const unsigned rhs = shared + 65536;  // 4 slots of 24576 bytes
  ridge::Mbarrier* const stages_full = reinterpret_cast<ridge::Mbarrier*>(shared_bytes + 198144);
  ridge::Mbarrier* const stages_empty = reinterpret_cast<ridge::Mbarrier*>(shared_bytes + 198176);
  const int warp = ridge::uniform(int(threadIdx.x) / 32);
  if (threadIdx.x == 0) {
    ridge::prefetch_tensor_map(&a_map);
    ridge::prefetch_tensor_map(&b_map);
    ridge::prefetch_tensor_map(&out_map);
    for (int slot = 0; slot < 4; ++slot) {
      ridge::mbarrier_init(&stages_full[slot], 1);
      ridge::mbarrier_init(&stages_empty[slot], 4);
    }
    ridge::fence_mbarrier_init();
  }
  __syncthreads();
  if (warp < 8) {  // math: 2 warpgroups
    ridge::take_registers<240>();
    [[maybe_unused]] const int i5 = warp / 4;
    [[maybe_unused]] const int thread = int(threadIdx.x) % 128;
    [[maybe_unused]] const int row = ridge::accumulator_row(thread, 0), quad = thread % 4;
    float sum[192];
    [[maybe_unused]] int sum_is_set = 0;
    const unsigned out_tile = shared + 163840 + 16384 * i5;  // 2 slots of 8192 bytes
    unsigned out_tile_slot = 1;
    float* const strip = reinterpret_cast<float*>(shared_bytes + 196608 + 768 * i5);
    unsigned stages = 0;
    unsigned stages_held = 0;
    if (i5 == 1) {
      ridge::barrier_arrive(1, 256);
    }
    stages += unsigned(i5 * ((k + 63) >> 6));
    const int i0_extent = (m + 127) >> 7;
    const int i1_extent = ridge::quotient(n + 191, 192);
    for (int tile = int(blockIdx.x) + int(gridDim.x) * (i5); tile < i0_extent * i1_extent; tile += 2 * int(gridDim.x)) {
      int i0, i1;
      ridge::grouped_tile<8>(tile, i0_extent, i1_extent, i0, i1);
      ridge::barrier_sync(14 + i5, 128);
      #pragma unroll
      for (int i11 = 0; i11 < 2; ++i11) {
        if (128 * i11 + thread < 192) {
          const int t = 128 * i11 + thread;
          const int t_2 = 192 * i1;
          const float v4 = t < n - t_2 ? float(bias[t_2 + t]) : 0.0f;
          strip[128 * i11 + thread] = v4;
        }
      }
      sum_is_set = 0;
      if (i5 == 0) {
        ridge::barrier_sync(1, 256);
      }
      if (i5 == 1) {
        ridge::barrier_sync(2, 256);
      }
      for (int i2 = 0; i2 < (k + 63) >> 6; ++i2) {
        {
          const unsigned stages_slot = stages % 4;
          ridge::mbarrier_wait(&stages_full[stages_slot], stages / 4 % 2);
          {
            const unsigned lhs_place = ridge::uniform(ridge::descriptor_place(lhs + 16384 * stages_slot, 16));
            const unsigned rhs_place = ridge::uniform(ridge::descriptor_place(rhs + 24576 * stages_slot, 16));
            ridge::pin<192>(sum);
            ridge::wgmma_fence();
            #pragma unroll
            for (int k_2 = 0; k_2 < 64; k_2 += 16) {
              ridge::wgmma_m64n192k16_bf16<0, 0>(
                  &sum[0], ridge::descriptor(lhs_place + (ridge::tile_offset<128, false>(128, 0, 2 * k_2) >> 4), ridge::descriptor_form<128>()),
                  ridge::descriptor(rhs_place + (ridge::tile_offset<128, false>(192, 0, 2 * k_2) >> 4), ridge::descriptor_form<128>()), sum_is_set | (k_2 > 0));
              ridge::wgmma_m64n192k16_bf16<0, 0>(
                  &sum[96], ridge::descriptor(lhs_place + (ridge::tile_offset<128, false>(128, 64, 2 * k_2) >> 4), ridge::descriptor_form<128>()),
                  ridge::descriptor(rhs_place + (ridge::tile_offset<128, false>(192, 0, 2 * k_2) >> 4), ridge::descriptor_form<128>()), sum_is_set | (k_2 > 0));
            }
            ridge::wgmma_commit();
            ridge::pin<192>(sum);
            sum_is_set = 1;
          }
          ridge::wgmma_wait<1>();
          if (stages_held == 1) {
            if (ridge::is_elected()) ridge::mbarrier_arrive(&stages_empty[(stages - 1) % 4]);
          } else {
            ++stages_held;
          }
          ++stages;
        }
      }
      if (i5 == 0) {
        ridge::barrier_arrive(2, 256);
      }
      if (i5 == 1) {
        ridge::barrier_arrive(1, 256);
      }
      ridge::wgmma_wait<0>();
      ridge::pin<192>(sum);
      for (; stages_held > 0; --stages_held) {
        if (ridge::is_elected()) ridge::mbarrier_arrive(&stages_empty[(stages - stages_held) % 4]);
      }
      stages += unsigned((k + 63) >> 6);
      ridge::barrier_sync(14 + i5, 128);
      if (!sum_is_set) {
        #pragma unroll
        for (int r = 0; r < 192; ++r) sum[r] = 0.0f;
        sum_is_set = 1;
      }
      #pragma unroll
      for (int i12 = 0; i12 < 2; ++i12) {
        #pragma unroll
        for (int i13 = 0; i13 < 24; ++i13) {
          #pragma unroll
          for (int i14 = 0; i14 < 2; ++i14) {
            float strip_lanes[2];
            ridge::load_wide<8>(strip_lanes, &strip[2 * quad + 8 * i13]);
            #pragma unroll
            for (int i15 = 0; i15 < 2; ++i15) {
              const float v5 = sum[96 * i12 + 4 * i13 + (2 * i14 + i15)];
              const float v6 = strip_lanes[i15];
              const float v7 = v5 + v6;
              const float v8 = 0.5f * v7 * ridge::one_plus_tanh_16(0.7978846f * (v7 + 0.044715f * v7 * v7 * v7));
              sum[96 * i12 + 4 * i13 + (2 * i14 + i15)] = v8;
            }
          }
        }
      }
      #pragma unroll
      for (int i7 = 0; i7 < 2; ++i7) {
        #pragma unroll
        for (int i6 = 0; i6 < 3; ++i6) {
          if (thread < 32 && ridge::is_elected()) ridge::wait_stores_read<1>();
          ridge::barrier_sync(14 + i5, 128);
          {
            out_tile_slot = (out_tile_slot + 1) % 2;
            const unsigned out_tile_at = out_tile + 8192 * out_tile_slot;
            #pragma unroll
            for (int j = 0; j < 64; j += 16) {
              const float* const piece = &sum[((64 * i6) >> 1) + 96 * ((64 * i7) >> 6) + j / 2];
              ridge::store_matrices(out_tile_at + ridge::tile_offset<128>(64, thread / 32 * 16 + ridge::matrix_row(thread % 32), 2 * j + ridge::matrix_byte(thread % 32)),
                  ridge::bf16_pair(piece[0], piece[1]),
                  ridge::bf16_pair(piece[2], piece[3]),
                  ridge::bf16_pair(piece[4], piece[5]),
                  ridge::bf16_pair(piece[6], piece[7]));
            }
          }
          ridge::fence_async_proxy();
          ridge::barrier_sync(14 + i5, 128);
          if (thread < 32 && ridge::is_elected()) {
            ridge::store_box(&out_map, out_tile + 8192 * out_tile_slot, 192 * i1 + 64 * i6, 128 * i0 + 64 * i7);
            ridge::commit_stores();
          }
        }
      }
    }
    if (thread < 32 && ridge::is_elected()) ridge::wait_stores<0>();
    for (; stages_held > 0; --stages_held) {
      if (ridge::is_elected()) ridge::mbarrier_arrive(&stages_empty[(stages - stages_held) % 4]);
    }
  } else {  // load
    ridge::give_registers<24>();
    [[maybe_unused]] const int thread = int(threadIdx.x) % 32;
    unsigned stages = 0;
    const int i0_extent = (m + 127) >> 7;
    const int i1_extent = ridge::quotient(n + 191, 192);
    for (int tile = int(blockIdx.x); tile < i0_extent * i1_extent; tile += int(gridDim.x)) {
      int i0, i1;
      ridge::grouped_tile<8>(tile, i0_extent, i1_extent, i0, i1);
      for (int i2 = 0; i2 < (k + 63) >> 6; ++i2) {
        {
          const unsigned stages_slot = stages % 4;
          ridge::mbarrier_wait(&stages_empty[stages_slot], stages / 4 % 2 ^ 1);
          if (ridge::is_elected()) {
            ridge::mbarrier_arrive_expect_tx(&stages_full[stages_slot], 40960);
            ridge::load_box(lhs + 16384 * stages_slot, &a_map, &stages_full[stages_slot], 64 * i2, 128 * i0);
            ridge::load_box(rhs + 24576 * stages_slot, &b_map, &stages_full[stages_slot], 64 * i2, 192 * i1);
          }
          __syncwarp();
          ++stages;
        }
      }
    }
  }
}
