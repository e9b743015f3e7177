// Elementwise arithmetic with broadcasting, its operators, and its in-place forms.
//
//   Tensor y = 2 * x + 1;      // numbers are weak: y has the dtype of x
//   y += x;                    // writes into y, like every name that ends in `_`
//
// Integers stay integers except under `div` and `reciprocal`, which give the default float.
#pragma once

#include <initializer_list>
#include <string_view>

#include "ridge/ops/at.h"

namespace ridge {

Tensor add(const At& x, const At& y);
Tensor sub(const At& x, const At& y);
Tensor mul(const At& x, const At& y);
Tensor fma(const At& x, const At& y, const At& z);  // x * y + z, rounded once
Tensor div(const At& x, const At& y);               // real division
Tensor floor_div(const At& x, const At& y);         // rounds towards minus infinity
Tensor remainder(const At& x, const At& y);         // x - y * floor_div(x, y): has the sign of y
Tensor pow(const At& x, const At& y);               // integers need exponents >= 0
Tensor minimum(const At& x, const At& y);           // NaN if either is
Tensor maximum(const At& x, const At& y);
Tensor clamp(const At& x, const At& low, const At& high);  // `high` wins where low > high

Tensor neg(const At& x);
Tensor abs(const At& x);
Tensor sign(const At& x);
Tensor reciprocal(const At& x);
Tensor square(const At& x);
Tensor floor(const At& x);
Tensor ceil(const At& x);
Tensor round(const At& x);  // half to even
Tensor trunc(const At& x);

// Real to integer truncates; anything but zero is true.
Tensor cast(const At& x, DType dtype);
// f16 and bf16 as f32, anything else as it is: for rules of several steps, which would all round.
Tensor widened(const At& x);
// The values of `from` in the shape and dtype of x, whose own values are not read.
Tensor copy(const At& x, const At& from);

inline Tensor operator-(const At& x) { return neg(x); }
inline Tensor operator+(const At& x, const At& y) { return add(x, y); }
inline Tensor operator-(const At& x, const At& y) { return sub(x, y); }
inline Tensor operator*(const At& x, const At& y) { return mul(x, y); }
inline Tensor operator/(const At& x, const At& y) { return div(x, y); }

// In place: x keeps its shape and dtype, and is what they return.
const Tensor& add_(const At& x, const At& y);
const Tensor& sub_(const At& x, const At& y);
const Tensor& mul_(const At& x, const At& y);
const Tensor& div_(const At& x, const At& y);
const Tensor& copy_(const At& x, const At& from);
const Tensor& fill_(const At& x, const At& value);
const Tensor& zero_(const At& x);
// The in-place form of any op that has one: in_place("clamp", x, {At(0), At(1)}).
const Tensor& in_place(std::string_view op, const At& x,
                       std::initializer_list<dispatch::Arg> others = {});

inline const Tensor& operator+=(const Tensor& x, const At& y) { return add_({x, y.where()}, y); }
inline const Tensor& operator-=(const Tensor& x, const At& y) { return sub_({x, y.where()}, y); }
inline const Tensor& operator*=(const Tensor& x, const At& y) { return mul_({x, y.where()}, y); }
inline const Tensor& operator/=(const Tensor& x, const At& y) { return div_({x, y.where()}, y); }

}  // namespace ridge
