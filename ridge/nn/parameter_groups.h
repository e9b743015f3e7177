// Parameters that are updated differently: another learning rate, another weight decay, or not at all.
//
//   nn::AdamW optimizer(model, {.weight_decay = 0.1}, {{.has = nn::is_vector, .weight_decay = 0}});
//
// A parameter belongs to the first group that has it, or else to the optimizer's own numbers. The rate
// of a group is a multiple of the optimizer's, so a schedule moves all of them. Rates and decoupled decay
// differ by 0-d tensors, not by code: however many groups there are, the update stays one kernel.
//
// A group is for some of the parameters, so it must say which: one without a predicate, and one that has
// none of them (a path that was misspelled), is an Error{value} when the optimizer is made.
#pragma once

#include <bit>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/core/visit_tensors.h"

namespace ridge::nn {

namespace detail {

// Visits a number by its bits, so that it is part of the signature.
void visit_number(auto&& visit, const char* name, double value) {
  const int64_t bits = std::bit_cast<int64_t>(value);
  visit(name, bits);
}

struct NamedTensor {
  std::string path;
  Tensor tensor;
};

// Those of a model in visiting order, without its buffers.
struct NamedTensors {
  std::vector<NamedTensor> tensors;
  void tensor(const std::string& path, const Tensor& tensor) { tensors.push_back({path, tensor}); }
  void buffer(const std::string&, const Tensor&) {}
  void number(const std::string&, int64_t) {}
};

// Parameters are the floating tensors of a model that are no buffers.
bool is_parameter(const Tensor& tensor);

}  // namespace detail

// Numbers that an optimizer is made with, checked when it is made: one that is negative, or a NaN from a
// wrong configuration, would otherwise show in the losses alone.
//
//   OptimizerNumbers{"AdamW", where}.check_share("beta1", 1.5);
//   what(): "AdamW: expected beta1 of at least 0 and below 1, given 1.5 (value error at train.cpp:12)"
struct OptimizerNumbers {
  const char* optimizer;
  Location where;

  // Rates, decays, eps. Error{value} unless finite and at least 0.
  void check_rate(const std::string& name, double value) const;
  // How much of a mean is kept from step to step. Error{value} unless at least 0 and below 1.
  void check_share(const std::string& name, double value) const;
};

struct ParameterGroup {
  // Asked once, when the optimizer is made.
  std::function<bool(const std::string& path, const Tensor& parameter)> has{};
  double rate_factor = 1;                // times the learning rate; 0: never updated
  std::optional<double> weight_decay{};  // in place of the optimizer's
};

// What is usually not decayed: biases, and the weights of norms.
inline bool is_vector(const std::string&, const Tensor& parameter) {
  return parameter.shape().size() < 2;
}

// Which group each tensor of a model, without its buffers, is in; the first is that of the optimizer
// itself.
struct ParameterGroups {
  struct Numbers {
    double rate_factor = 1;
    double weight_decay = 0;
    static void visit_tensors(auto& self, auto&& visit) {
      detail::visit_number(visit, "rate_factor", self.rate_factor);
      detail::visit_number(visit, "weight_decay", self.weight_decay);
    }
  };
  std::vector<Numbers> numbers{1};
  std::vector<int64_t> group_of{};  // by tensor; empty where there is one group

  ParameterGroups() = default;
  // `by`: the optimizer that they are of.
  template <class Model>
  ParameterGroups(const Model& model, const std::vector<ParameterGroup>& groups,
                  double weight_decay, const OptimizerNumbers& by) {
    numbers.front().weight_decay = weight_decay;
    if (groups.empty()) return;
    detail::NamedTensors found;
    visit_value(model, found);
    assign(found.tensors, groups, by);
  }

  size_t of(size_t tensor) const {
    return group_of.empty() ? 0 : static_cast<size_t>(group_of[tensor]);
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("numbers", self.numbers);
    visit("group_of", self.group_of);
  }

 private:
  void assign(const std::vector<detail::NamedTensor>& tensors,
              const std::vector<ParameterGroup>& groups, const OptimizerNumbers& by);
};

}  // namespace ridge::nn
