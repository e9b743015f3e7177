// All device helpers that generated kernels call. The order of the lines is the order in a kernel's text: each
// file comes after those it needs.
#pragma once

// clang-format off
#include "ridge/kernels/cuda/element.cuh"
#include "ridge/kernels/cuda/integer.cuh"
#include "ridge/kernels/cuda/math.cuh"
#include "ridge/kernels/cuda/trigonometry.cuh"
#include "ridge/kernels/cuda/reduce.cuh"
#include "ridge/kernels/cuda/cluster.cuh"
#include "ridge/kernels/cuda/row_access.cuh"
#include "ridge/kernels/cuda/tile.cuh"
#include "ridge/kernels/cuda/mbarrier.cuh"
#include "ridge/kernels/cuda/pipeline.cuh"
#include "ridge/kernels/cuda/shared_tile.cuh"
#include "ridge/kernels/cuda/warpgroup.cuh"
#include "ridge/kernels/cuda/tensor_map.cuh"
// clang-format on
