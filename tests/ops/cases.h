// The cases that op tests run on: every op record × dtype × sample call.
//
// Tests of this folder name no op. They ask the registry what there is, so a new record is tested
// by all of them without an edit here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ridge/dispatch/call.h"
#include "ridge/ops/record.h"
#include "ridge/ops/registry.h"
#include "ridge/ridge.h"

namespace ridge::testing {

struct OpCase {
  const ops::OpRecord* record = nullptr;
  DType dtype = f32;
  size_t index = 0;  // which sample
  std::vector<dispatch::Value> args;

  std::string name() const;  // "softmax/f32/2"
  // The call with its arguments, for messages of failed tests.
  std::string text() const;
  dispatch::Tensors run() const;
};

// The samples of one op for one dtype; the same on every run.
std::vector<OpCase> cases_of(const ops::OpRecord& record, DType dtype);

// The same call with its tensors on a device; plain numbers stay numbers.
OpCase on_device(const OpCase& c, Device device);

// Arguments with each tensor replaced.
std::vector<dispatch::Value> map_tensors(const std::vector<dispatch::Value>& args,
                                         const std::function<Tensor(const Tensor&)>& replace);

// Registers one GoogleTest for each op (suite, op name) that runs `check` on the record.
bool for_each_op(const char* suite, const std::function<void(const ops::OpRecord&)>& check);
// The same for those that have a gradient, which are also counted.
bool for_each_gradient(const char* suite, const std::function<void(const ops::OpRecord&)>& check);
size_t gradient_count();

// Values and metadata as text, to tell whether two results are the same bits.
std::string fingerprint(const Tensor& tensor);

}  // namespace ridge::testing
