#include "ridge/base/small_vector.h"

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge {

void throw_bad_index(size_t index, size_t size) {
  throw Error({.code = ErrorCode::index,
               .expected = concat("an index below ", size),
               .given = to_text(index)});
}

void throw_too_many_elements(size_t count, size_t limit) {
  throw Error({.code = ErrorCode::memory,
               .expected = concat("at most ", limit, " elements in a SmallVector"),
               .given = to_text(count)});
}

}  // namespace ridge
