// cuBLASLt, loaded when it is first asked for: matrix products until Ridge's own kernels do them.
//
//   if (cublaslt_availability().is_available) {
//     MatmulDescHandle description = nullptr;
//     check(cublaslt().matmul_desc_create, &description, MatmulCompute::f32, DataType::f32);
//     check(cublaslt().matmul, cublaslt_handle(device), description, ...);
//   }
//
// The types and numbers are ABI, declared by hand as those of the driver are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "ridge/runtime/cuda/driver_types.h"
#include "ridge/runtime/cuda/shared_library.h"

namespace ridge::runtime::cuda {

using CublasLtHandle = struct CublasLtTag*;
using MatmulDescHandle = struct MatmulDescTag*;
using MatrixLayoutHandle = struct MatrixLayoutTag*;
using MatmulPreferenceHandle = struct MatmulPreferenceTag*;

enum class CublasResult : int { success = 0, not_supported = 15 };
enum class DataType : int { f32 = 0, f64 = 1, f16 = 2, i8 = 3, i32 = 10, bf16 = 14 };
enum class MatmulCompute : int { f16 = 64, f32 = 68, f64 = 70, tf32 = 77 };
enum class MatmulDescAttribute : int { transpose_a = 3, transpose_b = 4, epilogue = 7, bias = 8 };
enum class MatrixLayoutAttribute : int { order = 1, batch_count = 5, batch_stride = 6 };
enum class MatmulPreferenceAttribute : int {
  max_workspace_bytes = 1,
  reduction_schemes = 3,
  alignment_a = 5,
  alignment_b = 6,
  alignment_c = 7,
  alignment_d = 8
};
// How the parts of a sum that were computed side by side are put together; a mask of what is allowed.
enum class MatmulReduction : uint32_t { in_place = 1, in_compute_type = 2, in_output_type = 4 };
enum class MatrixOrder : int32_t { column = 0, row = 1 };
enum class MatmulTranspose : int32_t { no = 0, yes = 1 };

struct MatmulAlgorithm {
  uint64_t data[8];
};
struct MatmulChoice {
  MatmulAlgorithm algorithm;
  size_t workspace_bytes;
  CublasResult state;
  float waves;
  int reserved[4];
};

struct CublasLtApi : EntryTable {
  template <class... Args>
  using Call = Entry<CublasResult(Args...)>;

  Entry<size_t()> get_version{*this, "cublasLtGetVersion"};
  Entry<const char*(CublasResult)> get_status_name{*this, "cublasLtGetStatusName"};
  Call<CublasLtHandle*> create{*this, "cublasLtCreate"};
  Call<CublasLtHandle> destroy{*this, "cublasLtDestroy"};
  Call<MatmulDescHandle*, MatmulCompute, DataType> matmul_desc_create{*this,
                                                                      "cublasLtMatmulDescCreate"};
  Call<MatmulDescHandle> matmul_desc_destroy{*this, "cublasLtMatmulDescDestroy"};
  Call<MatmulDescHandle, MatmulDescAttribute, const void*, size_t> matmul_desc_set{
      *this, "cublasLtMatmulDescSetAttribute"};
  Call<MatrixLayoutHandle*, DataType, uint64_t, uint64_t, int64_t> matrix_layout_create{
      *this, "cublasLtMatrixLayoutCreate"};
  Call<MatrixLayoutHandle> matrix_layout_destroy{*this, "cublasLtMatrixLayoutDestroy"};
  Call<MatrixLayoutHandle, MatrixLayoutAttribute, const void*, size_t> matrix_layout_set{
      *this, "cublasLtMatrixLayoutSetAttribute"};
  Call<MatmulPreferenceHandle*> preference_create{*this, "cublasLtMatmulPreferenceCreate"};
  Call<MatmulPreferenceHandle> preference_destroy{*this, "cublasLtMatmulPreferenceDestroy"};
  Call<MatmulPreferenceHandle, MatmulPreferenceAttribute, const void*, size_t> preference_set{
      *this, "cublasLtMatmulPreferenceSetAttribute"};
  Call<CublasLtHandle, MatmulDescHandle, MatrixLayoutHandle, MatrixLayoutHandle, MatrixLayoutHandle,
       MatrixLayoutHandle, MatmulPreferenceHandle, int, MatmulChoice*, int*>
      get_heuristic{*this, "cublasLtMatmulAlgoGetHeuristic"};
  // handle, description, alpha, A, layout, B, layout, beta, C, layout, D, layout, algorithm,
  // workspace, its bytes, stream
  Call<CublasLtHandle, MatmulDescHandle, const void*, const void*, MatrixLayoutHandle, const void*,
       MatrixLayoutHandle, const void*, const void*, MatrixLayoutHandle, void*, MatrixLayoutHandle,
       const MatmulAlgorithm*, void*, size_t, StreamHandle>
      matmul{*this, "cublasLtMatmul"};
};

struct CublasLtAvailability {
  bool is_available = false;
  std::string reason{};  // why not; one line
  size_t version = 0;    // 130000 is 13.0.0
};
const CublasLtAvailability& cublaslt_availability() noexcept;

const CublasLtApi& cublaslt();  // Error{device} with the reason where it is not available

// Made at first use, one for each device, never destroyed; calls on it are thread-safe.
CublasLtHandle cublaslt_handle(int device);

[[noreturn]] void throw_cublas_error(const char* call, CublasResult result);

template <class... Args>
void check(const Entry<CublasResult(Args...)>& entry, std::type_identity_t<Args>... args) {
  const CublasResult result = entry(args...);
  if (result != CublasResult::success) [[unlikely]]
    throw_cublas_error(entry.symbol(), result);
}

}  // namespace ridge::runtime::cuda
