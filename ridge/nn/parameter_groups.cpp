#include "ridge/nn/parameter_groups.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"

namespace ridge::nn {

using detail::NamedTensor;

namespace {

constexpr size_t kNamesShown = 4;

std::string names_of(const std::vector<NamedTensor>& parameters) {
  std::vector<std::string> names;
  for (const NamedTensor& one : parameters) {
    if (names.size() < kNamesShown) names.push_back(one.path);
  }
  const size_t others = parameters.size() - names.size();
  return join(names, ", ") + (others > 0 ? concat(" and ", others, " more") : "");
}

void check(const ParameterGroup& group, size_t number, const OptimizerNumbers& by) {
  RIDGE_CHECK(group.has != nullptr, .code = ErrorCode::value, .op = by.optimizer,
              .expected = "a predicate `has` in each parameter group",
              .given = concat("group ", number, " without one"),
              .hint = "numbers for all parameters are the options of the optimizer itself",
              .where = by.where);
  by.check_rate(concat("rate_factor of parameter group ", number), group.rate_factor);
  if (group.weight_decay) {
    by.check_rate(concat("weight_decay of parameter group ", number), *group.weight_decay);
  }
}

[[noreturn]] void fail_without_parameters(const ParameterGroup& group, size_t number,
                                          const std::vector<NamedTensor>& parameters,
                                          const OptimizerNumbers& by) {
  const bool is_late = std::ranges::any_of(
      parameters, [&](const NamedTensor& one) { return group.has(one.path, one.tensor); });
  throw Error({.code = ErrorCode::value,
               .op = by.optimizer,
               .expected = "parameter groups that have a parameter each",
               .given = concat("group ", number,
                               is_late ? ", whose parameters are all in groups before it"
                                       : ", whose `has` is false for all of them"),
               .hint = concat("the parameters are ", names_of(parameters)),
               .where = by.where});
}

}  // namespace

bool detail::is_parameter(const Tensor& tensor) {
  return tensor.defined() && is_floating(tensor.dtype());
}

void ParameterGroups::assign(const std::vector<NamedTensor>& tensors,
                             const std::vector<ParameterGroup>& groups,
                             const OptimizerNumbers& by) {
  for (size_t i = 0; i < groups.size(); ++i) {
    check(groups[i], i, by);
    numbers.push_back(
        {groups[i].rate_factor, groups[i].weight_decay.value_or(numbers.front().weight_decay)});
  }
  std::vector<NamedTensor> parameters;
  std::vector<size_t> counts(groups.size() + 1);
  for (const NamedTensor& one : tensors) {
    size_t found = 0;
    if (detail::is_parameter(one.tensor)) {
      parameters.push_back(one);
      while (found < groups.size() && !groups[found].has(one.path, one.tensor)) ++found;
      found = found == groups.size() ? 0 : found + 1;
    }
    ++counts[found];
    group_of.push_back(static_cast<int64_t>(found));
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    if (counts[i + 1] == 0) fail_without_parameters(groups[i], i, parameters, by);
  }
}

void OptimizerNumbers::check_rate(const std::string& name, double value) const {
  RIDGE_CHECK(std::isfinite(value) && value >= 0, .code = ErrorCode::value, .op = optimizer,
              .expected = concat(name, " that is finite and at least 0"), .given = concat(value),
              .where = where);
}

// A NaN is in no range.
void OptimizerNumbers::check_share(const std::string& name, double value) const {
  RIDGE_CHECK(value >= 0 && value < 1, .code = ErrorCode::value, .op = optimizer,
              .expected = concat(name, " of at least 0 and below 1"), .given = concat(value),
              .where = where);
}

}  // namespace ridge::nn
