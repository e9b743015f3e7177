#include "frozen_json.h"

#include <cmath>
#include <limits>

namespace ridge::testing {

using nlohmann::json;

namespace {

// JSON has no words for these numbers, so strings stand for them.
json real_to_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double real_from_json(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  return value == "inf" ? std::numeric_limits<double>::infinity()
                        : -std::numeric_limits<double>::infinity();
}

std::vector<int64_t> known_sizes(const Shape& shape) {
  std::vector<int64_t> sizes;
  for (const Size& size : shape) sizes.push_back(size.known().value());
  return sizes;
}

}  // namespace

json to_json(const Tensor& tensor) {
  json values = json::array();
  if (is_floating(tensor.dtype())) {
    for (double value : tensor.to_vector<double>()) values.push_back(real_to_json(value));
  } else {
    for (int64_t value : tensor.to_vector<int64_t>()) values.push_back(value);
  }
  return {{"dtype", name(tensor.dtype())},
          {"shape", known_sizes(tensor.shape())},
          {"values", std::move(values)}};
}

json to_json(const dispatch::Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value)) {
    return tensor->defined() ? json{{"tensor", to_json(*tensor)}} : json();
  }
  if (const auto* list = std::get_if<dispatch::Tensors>(&value)) {
    json items = json::array();
    for (const Tensor& tensor : *list) items.push_back(to_json(tensor));
    return {{"tensors", items}};
  }
  if (const auto* integer = std::get_if<int64_t>(&value)) return {{"int", *integer}};
  if (const auto* real = std::get_if<double>(&value)) return {{"float", real_to_json(*real)}};
  if (const auto* flag = std::get_if<bool>(&value)) return {{"bool", *flag}};
  if (const auto* dtype = std::get_if<DType>(&value)) return {{"dtype", name(*dtype)}};
  if (const auto* device = std::get_if<Device>(&value)) return {{"device", to_text(*device)}};
  if (const auto* ints = std::get_if<Ints>(&value)) {
    return {{"ints", std::vector<int64_t>(ints->begin(), ints->end())}};
  }
  if (const auto* shape = std::get_if<Shape>(&value)) return {{"sizes", known_sizes(*shape)}};
  return json();
}

Tensor tensor_from_json(const json& from) {
  const DType dtype = find_dtype(from.at("dtype").get<std::string>()).value();
  Shape shape;
  for (const json& size : from.at("shape")) shape.push_back(size.get<int64_t>());
  const Tensor tensor = Tensor::empty(shape, dtype);
  int64_t index = 0;
  for (const json& value : from.at("values")) {
    const expr::Number number = is_floating(dtype) ? expr::Number::of(real_from_json(value))
                                                   : expr::Number::of(value.get<int64_t>());
    store_element(dtype, tensor.raw_data(), index++, number);
  }
  return tensor;
}

dispatch::Value value_from_json(const json& from) {
  if (from.is_null()) return std::monostate{};
  const std::string kind = from.begin().key();
  const json& content = from.begin().value();
  if (kind == "tensor") return tensor_from_json(content);
  if (kind == "tensors") {
    dispatch::Tensors list;
    for (const json& item : content) list.push_back(tensor_from_json(item));
    return list;
  }
  if (kind == "int") return content.get<int64_t>();
  if (kind == "float") return real_from_json(content);
  if (kind == "bool") return content.get<bool>();
  if (kind == "dtype") return find_dtype(content.get<std::string>()).value();
  if (kind == "device") return kCpu;
  const std::vector<int64_t> items = content.get<std::vector<int64_t>>();
  if (kind == "ints") return Ints(items.begin(), items.end());
  return Shape(items.begin(), items.end());
}

}  // namespace ridge::testing
