#include "ridge/runtime/cpu/imports.h"

#include <array>
#include <cmath>
#include <cstring>

namespace ridge::runtime {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);
using UnaryFloat = float (*)(float);
using BinaryFloat = float (*)(float, float);

// Overloads are chosen by the type of the pointer; a call from generated code uses the same ABI.
template <class Function>
void* address(Function function) {
  return reinterpret_cast<void*>(function);
}

template <class Real>
void sine_and_cosine(Real x, Real* sine, Real* cosine) {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}

}  // namespace

std::span<const Import> imports() {
  static const auto table = std::to_array<Import>({
      // matches: names of libm
      {"exp", address<Unary>(std::exp)},
      {"log", address<Unary>(std::log)},
      {"sin", address<Unary>(std::sin)},
      {"cos", address<Unary>(std::cos)},
      {"tanh", address<Unary>(std::tanh)},
      {"erf", address<Unary>(std::erf)},
      {"floor", address<Unary>(std::floor)},
      {"ceil", address<Unary>(std::ceil)},
      {"trunc", address<Unary>(std::trunc)},
      {"rint", address<Unary>(std::rint)},
      {"pow", address<Binary>(std::pow)},
      {"fmod", address<Binary>(std::fmod)},
      {"sinf", address<UnaryFloat>(std::sin)},
      {"cosf", address<UnaryFloat>(std::cos)},
      {"floorf", address<UnaryFloat>(std::floor)},
      {"ceilf", address<UnaryFloat>(std::ceil)},
      {"truncf", address<UnaryFloat>(std::trunc)},
      {"rintf", address<UnaryFloat>(std::rint)},
      {"powf", address<BinaryFloat>(std::pow)},
      {"fmodf", address<BinaryFloat>(std::fmod)},
      {"fma", address<double (*)(double, double, double)>(std::fma)},
      {"fmaf", address<float (*)(float, float, float)>(std::fma)},
      {"sincos", address(&sine_and_cosine<double>)},
      {"sincosf", address(&sine_and_cosine<float>)},
      {"memcpy", address(&std::memcpy)},
      {"memset", address(&std::memset)},
      {"memmove", address(&std::memmove)},
  });
  return table;
}

}  // namespace ridge::runtime
