#include "ridge/capture/dynamic.h"

#include "ridge/base/text.h"

namespace ridge {

Dim::Dim(std::string name_, int64_t low_, int64_t high_, Location where)
    : name(std::move(name_)), low(low_), high(high_) {
  RIDGE_CHECK(0 <= low && low <= high && high <= kLargest, .code = ErrorCode::value, .op = "Dim",
              .expected = concat("a range of ", name, " in [0, ", kLargest, "] that is not empty"),
              .given = concat("[", low, ", ", high, "]"), .where = where);
}

}  // namespace ridge
