#include "cases.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ridge/base/hash.h"
#include "ridge/core/device_copy.h"

namespace ridge::testing {

namespace {

class RecordTest : public ::testing::Test {
 public:
  RecordTest(const ops::OpRecord& record, std::function<void(const ops::OpRecord&)> check)
      : record_(record), check_(std::move(check)) {}
  void TestBody() override { check_(record_); }

 private:
  const ops::OpRecord& record_;
  std::function<void(const ops::OpRecord&)> check_;
};

void register_test(const char* suite, const ops::OpRecord& record,
                   const std::function<void(const ops::OpRecord&)>& check) {
  const Location where = record.where;
  ::testing::RegisterTest(suite, record.op->name().c_str(), nullptr, nullptr, where.file_name(),
                          static_cast<int>(where.line()), [&record, check]() -> ::testing::Test* {
                            return new RecordTest(record, check);
                          });
}

// When tests are registered: some of them add ops.
const std::vector<const ops::OpRecord*>& records_with_gradient() {
  static const auto& records = *new std::vector<const ops::OpRecord*>([] {
    std::vector<const ops::OpRecord*> found;
    for (const ops::OpRecord* record : ops::registry().all()) {
      if (record->has_gradient()) found.push_back(record);
    }
    return found;
  }());
  return records;
}

}  // namespace

std::string OpCase::name() const {
  return record->op->name() + "/" + std::string(ridge::name(dtype)) + "/" + std::to_string(index);
}

std::string OpCase::text() const {
  std::string text = name() + ": " + record->op->name() + "(";
  for (const dispatch::Value& value : args) {
    if (text.back() != '(') text += ", ";
    text += dispatch::to_text(dispatch::borrow(value));
  }
  return text + ")";
}

dispatch::Tensors OpCase::run() const {
  return dispatch::call_values(*record->op, dispatch::borrow(args));
}

std::vector<OpCase> cases_of(const ops::OpRecord& record, DType dtype) {
  std::vector<OpCase> cases;
  if (!record.samples) return cases;
  const uint64_t seed = hash_bytes(record.op->name()) ^ (uint64_t{dtype.bits} << 8) ^
                        static_cast<uint64_t>(dtype.kind);
  ops::SampleMaker maker(record.op->schema(), dtype, seed);
  record.samples(maker);
  for (ops::SampleCall& call : maker.take()) {
    OpCase c{&record, dtype, cases.size(), std::move(call.args)};
    cases.push_back(std::move(c));
  }
  return cases;
}

OpCase on_device(const OpCase& c, Device device) {
  OpCase moved = c;
  moved.args = map_tensors(c.args, [&](const Tensor& tensor) {
    return tensor.defined() && !tensor.is_weak() ? to_device(tensor, device) : tensor;
  });
  for (dispatch::Value& value : moved.args) {
    if (std::holds_alternative<Device>(value)) value = device;
  }
  return moved;
}

std::vector<dispatch::Value> map_tensors(const std::vector<dispatch::Value>& args,
                                         const std::function<Tensor(const Tensor&)>& replace) {
  std::vector<dispatch::Value> mapped = args;
  for (dispatch::Value& value : mapped) {
    if (auto* tensor = std::get_if<Tensor>(&value)) *tensor = replace(*tensor);
    if (auto* list = std::get_if<dispatch::Tensors>(&value)) {
      for (Tensor& tensor : *list) tensor = replace(tensor);
    }
  }
  return mapped;
}

bool for_each_op(const char* suite, const std::function<void(const ops::OpRecord&)>& check) {
  for (const ops::OpRecord* record : ops::registry().all()) register_test(suite, *record, check);
  return true;
}

bool for_each_gradient(const char* suite, const std::function<void(const ops::OpRecord&)>& check) {
  for (const ops::OpRecord* record : records_with_gradient()) register_test(suite, *record, check);
  return true;
}

size_t gradient_count() { return records_with_gradient().size(); }

std::string fingerprint(const Tensor& tensor) {
  std::string text = describe(tensor) + ":";
  if (is_floating(tensor.dtype())) {
    for (double value : tensor.to_vector<double>()) {
      uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      text += " " + std::to_string(value != value ? ~uint64_t{0} : bits);  // all NaN are one
    }
  } else {
    for (int64_t value : tensor.to_vector<int64_t>()) text += " " + std::to_string(value);
  }
  return text;
}

}  // namespace ridge::testing
