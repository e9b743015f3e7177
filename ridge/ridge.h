// Everything a program that uses Ridge needs.
#pragma once

#include "ridge/aot/transforms.h"
#include "ridge/autograd/autograd.h"
#include "ridge/autograd/custom_vjp.h"
#include "ridge/base/error.h"
#include "ridge/base/log.h"
#include "ridge/capture/constant.h"
#include "ridge/capture/scope.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/core/tensor.h"
#include "ridge/driver/compile.h"
#include "ridge/driver/startup.h"
#include "ridge/nn/initialize.h"
#include "ridge/nn/layers.h"
#include "ridge/nn/optimizer.h"
#include "ridge/ops/activation.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/attention.h"
#include "ridge/ops/autocast.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/convolution.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/indexing.h"
#include "ridge/ops/join.h"
#include "ridge/ops/loss.h"
#include "ridge/ops/matmul.h"
#include "ridge/ops/normalization.h"
#include "ridge/ops/profile.h"
#include "ridge/ops/random.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/scan.h"
#include "ridge/ops/sorting.h"
#include "ridge/ops/unary.h"
#include "ridge/ops/view.h"
#include "ridge/ops/window.h"

namespace ridge::detail {
// Runs before the statics of the including file, so that they may hold tensors.
inline const bool kStarted = (start(), true);
}  // namespace ridge::detail
