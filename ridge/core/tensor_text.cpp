#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/core/tensor.h"

namespace ridge {
namespace {

constexpr int64_t kLongestWhole = 6;  // more elements than this in a dimension are elided
constexpr int64_t kEdge = 3;          // and this many kept at each end

std::string element_text(const expr::Number& value) {
  switch (value.type) {
    case expr::Type::boolean: return value.integer != 0 ? "true" : "false";
    case expr::Type::integer: return fmt::format("{}", value.integer);
    case expr::Type::real: return fmt::format("{:.5g}", value.real);
  }
  return {};
}

// Prints nested brackets in two walks over the shown elements: the first finds the widest, so that
// the second can put them in columns.
class Printer {
 public:
  explicit Printer(Tensor tensor) : tensor_(std::move(tensor)), data_(tensor_.raw_data()) {}

  std::string print() {
    walk(0, 0);
    text_.clear();
    is_measuring_ = false;
    walk(0, 0);
    return std::move(text_);
  }

 private:
  void walk(size_t dim, int64_t index) {
    if (dim == tensor_.shape().size()) return element(index);
    const int64_t size = tensor_.shape()[dim].value();
    const int64_t stride = tensor_.strides()[dim].value();
    text_ += '[';
    for (int64_t i = 0; i < size; ++i) {
      if (i > 0) separate(dim);
      if (size > kLongestWhole && i == kEdge) {
        text_ += "...";
        separate(dim);
        i = size - kEdge;
      }
      walk(dim + 1, index + i * stride);
    }
    text_ += ']';
  }

  void element(int64_t index) {
    const std::string text = element_text(load_element(tensor_.dtype(), data_, index));
    if (is_measuring_) width_ = std::max(width_, text.size());
    text_.append(width_ - text.size(), ' ').append(text);
  }

  // Rows of the last dimension stand on a line each, under the bracket that opened them.
  void separate(size_t dim) {
    if (dim + 1 == tensor_.shape().size()) {
      text_ += ", ";
    } else {
      text_.append(",\n").append(dim + 1, ' ');
    }
  }

  Tensor tensor_;
  const void* data_;
  bool is_measuring_ = true;
  size_t width_ = 0;
  std::string text_;
};

// Why there is nothing to print, or empty.
std::string_view obstacle(const Tensor& tensor) {
  if (tensor.is_meta()) return "without values";
  if (tensor.storage().is_donated()) return "donated";
  if (tensor.storage().fake_owner() != nullptr) return "of a capture, without values";
  if (is_storage_only(tensor.dtype())) return "of a type that is only stored";
  return {};
}

}  // namespace

std::string describe(const Tensor& tensor) {
  if (!tensor.defined()) return "undefined tensor";
  std::string text = concat(name(tensor.dtype()), to_text(tensor.shape()));
  if (tensor.device() != kCpu) text += " on " + to_text(tensor.device());
  return text;
}

std::string to_text(const Tensor& tensor) {
  std::string text = describe(tensor);
  if (!tensor.defined()) return text;
  if (const auto reason = obstacle(tensor); !reason.empty()) return concat(text, " (", reason, ")");
  const bool is_on_host = device_runtime(tensor.device().kind).has_host_memory();
  const std::string values = Printer(is_on_host ? tensor : to_device(tensor, kCpu)).print();
  return concat(text, values.find('\n') == std::string::npos ? " " : "\n", values);
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << to_text(tensor); }

}  // namespace ridge
