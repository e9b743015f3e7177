#include "ridge/driver/budget_error.h"

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::driver {

void throw_unmet_budget(int64_t budget, int64_t least, std::string hint) {
  throw Error({.code = ErrorCode::memory,
               .op = "memory_budget",
               .expected = concat("a budget of at least ", least, " bytes, ", to_text(Bytes(least)),
                                  ", which is the smallest that can be met"),
               .given = concat(budget, " bytes"),
               .hint = std::move(hint)});
}

}  // namespace ridge::driver
