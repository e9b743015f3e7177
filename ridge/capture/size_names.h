// The names of what has sizes in the arguments of a call: "model.head.weight", "x", "arg1".
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "ridge/core/visit_tensors.h"

namespace ridge::capture {

// Of an argument without one: "arg0", "arg1", ...
std::string argument_name(size_t number);

// Names of the tensors and of the Size arguments of a call, in visiting order.
struct SizeNames {
  std::vector<std::string> tensors{};
  std::vector<std::string> arguments{};
};

namespace detail {

struct NameTaker {
  SizeNames& names;
  void tensor(const std::string& path, const Tensor&) { names.tensors.push_back(path); }
  void number(const std::string&, int64_t) {}
  void size(const std::string& path, const Size&) { names.arguments.push_back(path); }
};

}  // namespace detail

// `given`: the names of the arguments, "arg0", ... where there is none.
template <class... Args>
SizeNames names_of(const std::vector<std::string>& given, Args&... args) {
  SizeNames names;
  detail::NameTaker taker{names};
  size_t number = 0;
  const auto take = [&](auto& arg) {
    const std::string path = number < given.size() ? given[number] : argument_name(number);
    ++number;
    if constexpr (std::floating_point<std::remove_cvref_t<decltype(arg)>>) {
      names.tensors.push_back(path);
    } else {
      visit_value(arg, taker, path);
    }
  };
  (take(args), ...);
  return names;
}

}  // namespace ridge::capture
