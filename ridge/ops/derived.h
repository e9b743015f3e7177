// Kernels that follow from a record, the same for every backend.
//
// A backend's fallback first asks `run_derived`; what is left is the computing of a body or a
// definition into fresh contiguous results, described by `resolve` and `definition_of`.
#pragma once

#include "ridge/dispatch/call.h"
#include "ridge/ops/record.h"

namespace ridge::ops {

struct Resolved {
  DTypes dtypes;
  std::vector<Shape> shapes;
  Device device;
};

// Applies the dtype, shape and device rules of a record that has them (not a composite one).
Resolved resolve(const OpRecord& record, const Call& call);

// The op as an indexed definition: a body becomes one over the broadcast axes.
Definition definition_of(const OpRecord& record, const Call& call, const Resolved& resolved);

// The result as a view of operand 0, where strides >= 0 can express it.
std::optional<ViewGeometry> view_geometry(const OpRecord& record, const Call& call);

// Which composition of a composite op: the one that says what it means, or the fastest that the record has.
enum class Composition : uint8_t { defined, fastest };

// In-place forms, views and decompositions; false if the backend has to compute.
bool run_derived(dispatch::Frame& frame, Composition composition = Composition::defined);

// Was this op derived from its record's op as the form that writes operand 0?
bool is_in_place(const dispatch::Operator& op);

}  // namespace ridge::ops
