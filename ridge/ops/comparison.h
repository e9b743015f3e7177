// Comparisons, logic and choice, elementwise with broadcasting.
//
// Results are bool (but for `where`) and have no gradient. `==` and its kin compare elements and
// give a tensor; whether two handles are one tensor is asked with `Tensor::is_same`.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

Tensor equal(const At& x, const At& y);
Tensor not_equal(const At& x, const At& y);
Tensor less(const At& x, const At& y);
Tensor less_equal(const At& x, const At& y);
Tensor greater(const At& x, const At& y);
Tensor greater_equal(const At& x, const At& y);

inline Tensor operator==(const At& x, const At& y) { return equal(x, y); }
inline Tensor operator!=(const At& x, const At& y) { return not_equal(x, y); }
inline Tensor operator<(const At& x, const At& y) { return less(x, y); }
inline Tensor operator<=(const At& x, const At& y) { return less_equal(x, y); }
inline Tensor operator>(const At& x, const At& y) { return greater(x, y); }
inline Tensor operator>=(const At& x, const At& y) { return greater_equal(x, y); }

// Operands of any dtype: anything but zero is true, and so is NaN.
Tensor logical_and(const At& x, const At& y);
Tensor logical_or(const At& x, const At& y);
Tensor logical_xor(const At& x, const At& y);
Tensor logical_not(const At& x);

Tensor is_nan(const At& x);
Tensor is_finite(const At& x);

// x where the (bool) condition is true, y elsewhere; what is not chosen takes no part in values or
// gradients.
Tensor where(const At& condition, const At& x, const At& y);

}  // namespace ridge
