// Walking the layers of one type in a model, with their paths.
//
//   for_each_layer<nn::Linear>(model, [](const std::string& path, nn::Linear& layer) { ... });
//   "layers.0.attention.query", "layers.0.attention.key", ...
//
// Members are found as visit_tensors names them, so what a struct does not visit is not found. A layer
// inside of a layer of that type is not looked for.
#pragma once

#include <string>
#include <type_traits>

#include "ridge/core/visit_tensors.h"

namespace ridge::nn {

template <class Layer, class T, class F>
void for_each_layer(T& value, F&& f, const std::string& path = "") {
  using Plain = std::remove_const_t<T>;
  const auto inside = [&](const std::string& name, auto& member) {
    for_each_layer<Layer>(member, f, ridge::detail::child_path(path, name));
  };
  if constexpr (std::same_as<Plain, Layer>) {
    f(path, value);
  } else if constexpr (ridge::detail::is_vector<Plain>) {
    for (size_t i = 0; i < value.size(); ++i) inside(std::to_string(i), value[i]);
  } else if constexpr (ridge::detail::is_map<Plain>) {
    for (auto& [key, member] : value) inside(ridge::detail::key_name(key), member);
  } else if constexpr (ridge::detail::is_optional<Plain>) {
    if (value) for_each_layer<Layer>(*value, f, path);
  } else if constexpr (ridge::detail::is_tuple<Plain>) {
    [&]<size_t... I>(std::index_sequence<I...>) {
      (inside(std::to_string(I), std::get<I>(value)), ...);
    }(std::make_index_sequence<std::tuple_size_v<Plain>>());
  } else if constexpr (HasVisitTensors<T>) {
    Plain::visit_tensors(value, [&](auto name, auto& member) {
      if constexpr (std::same_as<decltype(name), BufferName>) {
        inside(name.name, member);
      } else {
        inside(name, member);
      }
    });
  }
}

}  // namespace ridge::nn
