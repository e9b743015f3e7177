// Numbers that an optimizer is made with, checked when it is made: one that is negative, or a NaN from a
// wrong configuration, would otherwise show in the losses alone.
//
//   OptimizerNumbers{"AdamW", where}.check_share("beta1", 1.5);
//   what(): "AdamW: expected beta1 of at least 0 and below 1, given 1.5 (value error at train.cpp:12)"
#pragma once

#include <string>

#include "ridge/base/error.h"

namespace ridge::nn {

struct OptimizerNumbers {
  const char* optimizer;
  Location where;

  // Rates, decays, eps. Error{value} unless finite and at least 0.
  void check_rate(const std::string& name, double value) const;
  // How much of a mean is kept from step to step. Error{value} unless at least 0 and below 1.
  void check_share(const std::string& name, double value) const;
};

}  // namespace ridge::nn
