// A product as a library of them takes it: matrices by their strides, or batches of such.
//
//   out[o, b, m, n] = sum over k of lhs[o, b, m, k] * rhs[o, b, k, n]
//
// Steps are in elements, over the params of the kernel it stands for. Along an axis of extent 1 a step
// may be 0. A product is all that its kernel does, so a launch of the library takes the kernel's place.
#pragma once

#include <span>

#include "ridge/core/dtype.h"
#include "ridge/expr/expr.h"

namespace ridge::schedule {

using expr::Expr;

struct Matrix {
  int buffer = -1;  // planned
  DType dtype = f32;
  Expr first = 0;  // of its elements
  Expr row_step = 0, column_step = 0;
  Expr batch_step = 0, outer_step = 0;
};

struct Product {
  Expr m = 1, n = 1, k = 1;
  Expr batch = 1;
  Expr outer = 1;  // batches that no single step leads through: one launch for each
  Matrix lhs{}, rhs{}, out{};
};

// Every expression of it, as `f` of what it was.
template <class F>
void rewrite(Product& product, const F& f) {
  for (Expr* e : {&product.m, &product.n, &product.k, &product.batch, &product.outer}) *e = f(*e);
  for (Matrix* matrix : {&product.lhs, &product.rhs, &product.out}) {
    for (Expr* e : {&matrix->first, &matrix->row_step, &matrix->column_step, &matrix->batch_step,
                    &matrix->outer_step}) {
      *e = f(*e);
    }
  }
}

}  // namespace ridge::schedule
