// How much a cache holds, told by how fast arrays of growing size are gone through: what a system says
// of its caches may be the sum over sockets that this program never runs on.
//
//   capacity_of(copy_rate, 4 MiB, 960 MiB)         30 MiB, where the system says 320
//   checked_bytes(320 MiB, 30 MiB)                 30 MiB
//   checked_bytes(32 MiB, 28 MiB)                  32 MiB: others have the rest of it
#pragma once

#include <functional>

namespace ridge::calibrate {

// Bytes up to which `rate` (bytes a second, of going through so many bytes again and again) is nearer to
// that of `least` bytes, which the cache holds, than to that of `most`, which it does not. All of `most`
// where the two are so close that nothing can be told.
double capacity_of(const std::function<double(double bytes)>& rate, double least, double most);

// What the system says, unless less than half of it was found.
double checked_bytes(double reported, double measured);

}  // namespace ridge::calibrate
