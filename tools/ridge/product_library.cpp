// cuBLASLt's own bias and GELU in the epilogue of a product: what ours is compared with. Programs do not use it, for
// there a bias and a GELU are ours.
#include "product_side.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/cublaslt_api.h"
#include "ridge/runtime/cuda/cuda_graph.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge::command {
namespace {

namespace cuda = runtime::cuda;

constexpr uint32_t kGeluAndBias = 36;  // CUBLASLT_EPILOGUE_GELU_BIAS
constexpr uint64_t kWorkspaceBytes = uint64_t{32} << 20;

// The library's matrices lie by columns, so it is asked for the transpose of ours: N x M, of which the bias is a
// column. All of it lives as long as the process, as the handle of the library does.
struct FusedProduct {
  cuda::MatmulDescHandle description = nullptr;
  cuda::MatrixLayoutHandle a = nullptr, b = nullptr, d = nullptr;
  cuda::MatmulChoice choice{};
  ProductOperands operands;
  Tensor out;
};

cuda::DataType data_type(DType dtype) {
  return dtype == f16 ? cuda::DataType::f16 : cuda::DataType::bf16;
}

void describe(FusedProduct& into, const ProductCase& product) {
  const cuda::CublasLtApi& api = cuda::cublaslt();
  const auto size = [](int64_t number) { return static_cast<uint64_t>(number); };
  cuda::check(api.matmul_desc_create, &into.description, cuda::MatmulCompute::f32,
              cuda::DataType::f32);
  const auto set = [&](cuda::MatmulDescAttribute which, const auto& value) {
    cuda::check(api.matmul_desc_set, into.description, which, &value, sizeof value);
  };
  const auto transposed = [](bool is) {
    return is ? cuda::MatmulTranspose::yes : cuda::MatmulTranspose::no;
  };
  const cost::MatmulLayout& layout = product.layout;
  set(cuda::MatmulDescAttribute::transpose_a, transposed(layout.w_is_transposed));
  set(cuda::MatmulDescAttribute::transpose_b, transposed(layout.x_is_transposed));
  set(cuda::MatmulDescAttribute::epilogue, kGeluAndBias);
  set(cuda::MatmulDescAttribute::bias, device_address(into.operands.bias));
  const auto create = [&](cuda::MatrixLayoutHandle& matrix, int64_t rows, int64_t columns) {
    cuda::check(api.matrix_layout_create, &matrix, data_type(product.dtype), size(rows),
                size(columns), rows);
  };
  layout.w_is_transposed ? create(into.a, product.k, product.n)
                         : create(into.a, product.n, product.k);
  layout.x_is_transposed ? create(into.b, product.m, product.k)
                         : create(into.b, product.k, product.m);
  create(into.d, product.n, product.m);
}

void choose(FusedProduct& into) {
  const cuda::CublasLtApi& api = cuda::cublaslt();
  cuda::MatmulPreferenceHandle preference = nullptr;
  cuda::check(api.preference_create, &preference);
  cuda::check(api.preference_set, preference, cuda::MatmulPreferenceAttribute::max_workspace_bytes,
              &kWorkspaceBytes, sizeof kWorkspaceBytes);
  int found = 0;
  const cuda::CublasResult result =
      api.get_heuristic(cuda::cublaslt_handle(0), into.description, into.a, into.b, into.d, into.d,
                        preference, 1, &into.choice, &found);
  cuda::check(api.preference_destroy, preference);
  RIDGE_CHECK(result == cuda::CublasResult::success && found > 0, .code = ErrorCode::state,
              .op = "products", .expected = "cuBLASLt's bias and GELU for this shape",
              .given = "none of its algorithms");
}

void launch(const FusedProduct& product, const Tensor& workspace, Stream stream) {
  constexpr float kOne = 1, kZero = 0;
  const cuda::ContextScope scope(0);
  void* const out = device_address(product.out);
  cuda::check(cuda::cublaslt().matmul, cuda::cublaslt_handle(0), product.description, &kOne,
              device_address(product.operands.rhs), product.a, device_address(product.operands.lhs),
              product.b, &kZero, out, product.d, out, product.d, &product.choice.algorithm,
              device_address(workspace), size_t{kWorkspaceBytes},
              reinterpret_cast<cuda::StreamHandle>(stream.handle));
}

}  // namespace

ProductSide fused_library_side(const ProductCase& product,
                               const std::vector<ProductOperands>& operands) {
  const Device device = operands.front().lhs.device();
  const Tensor workspace = Tensor::empty({static_cast<int64_t>(kWorkspaceBytes)}, u8, device);
  const auto products = std::make_shared<std::vector<FusedProduct>>();
  for (const ProductOperands& set : operands) {
    FusedProduct one;
    one.operands = set;
    one.out = Tensor::empty({product.m, product.n}, product.dtype, device);
    describe(one, product);
    choose(one);
    products->push_back(std::move(one));
  }
  // What is queued so far is on the current stream, and a default stream cannot be captured.
  cuda::CudaRuntime& runtime = cuda::cuda_runtime();
  const Stream current = runtime.current_stream(device), apart = runtime.create_stream(device);
  const auto launch_all = [=](Stream stream) {
    for (const FusedProduct& one : *products) launch(one, workspace, stream);
  };
  launch_all(current);  // loads its kernels
  runtime.synchronize(current);
  const auto graph = cuda::CudaGraph::capture("cublaslt", apart, [&] { launch_all(apart); });
  runtime.destroy_stream(apart);
  return {.name = "cublaslt fused",
          .run = [=] { graph->launch(current); },
          .outputs =
              [=] {
                Tensors outputs;
                for (const FusedProduct& one : *products) outputs.push_back(one.out);
                return outputs;
              }};
}

}  // namespace ridge::command
