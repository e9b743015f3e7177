// In which order the axes of a value lie in memory, where another one than its own serves its readers.
//
//   mixed [batch, head, token, 64], read by a product as rows of [batch * token, head * 64]
//     ->  lies as [batch, token, head, 64]: rows lie one behind the other, and a library multiplies them
//
// Only for what lives inside of the program, is read by a product, and is then read by steps wherever
// somebody reads it, where it was not before. The last axis stays the last one and is no shorter than what
// memory moves at once, so whoever writes the value writes as many bytes at a time as before.
#pragma once

#include <optional>
#include <vector>

#include "ridge/schedule/inlined_graph.h"

namespace ridge::schedule {

// By value: its strides, in elements, where they are not row-major.
using ValueStrides = std::vector<std::optional<Shape>>;

ValueStrides choose_strides(const InlinedGraph& program);

}  // namespace ridge::schedule
