// Tensors made from nothing but a shape, a dtype and a device.
#pragma once

#include "ridge/ops/at.h"

namespace ridge {

Tensor zeros(const Shape& shape, DType dtype = kDefaultFloat, Device device = kCpu,
             Location where = Location::current());
Tensor ones(const Shape& shape, DType dtype = kDefaultFloat, Device device = kCpu,
            Location where = Location::current());
// The value travels as a double: integers are exact up to 2^53 in magnitude.
Tensor full(const Shape& shape, double value, DType dtype = kDefaultFloat, Device device = kCpu,
            Location where = Location::current());

// 0, 1, ... count - 1; `count` may be symbolic.
Tensor arange(const Size& count, DType dtype = i64, Device device = kCpu,
              Location where = Location::current());
Tensor arange(const Size& count, Device device, Location where = Location::current());
// start, start + step, ... up to but without `end`. An integer dtype asks for a whole start and step.
Tensor arange(double start, double end, double step, DType dtype, Device device = kCpu,
              Location where = Location::current());

// `count` numbers evenly from start to end, both included; one number is start. Floating dtypes only.
Tensor linspace(double start, double end, const Size& count, DType dtype = kDefaultFloat,
                Device device = kCpu, Location where = Location::current());

// Ones on the diagonal, zeros elsewhere.
Tensor eye(const Size& rows, DType dtype = kDefaultFloat, Device device = kCpu,
           Location where = Location::current());
Tensor eye(const Size& rows, const Size& columns, DType dtype = kDefaultFloat, Device device = kCpu,
           Location where = Location::current());

// In the shape and dtype of x, on its device.
Tensor zeros_like(const At& x);
Tensor ones_like(const At& x);
Tensor full_like(const At& x, double value);

// The product of the sizes as an i64 0-d tensor, so that arithmetic can use a size which is only
// known by name; a plain number where all of them are integers.
Tensor element_count(const Shape& shape, Device device = kCpu,
                     Location where = Location::current());

}  // namespace ridge
