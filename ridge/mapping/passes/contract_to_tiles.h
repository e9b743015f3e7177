// contract_to_tiles: a contraction in tiles of a fixed size becomes statements over tiles of named extents.
//
//   for i0 in (m + 63) // 64 @gpu_block { for i1 in (n + 63) // 64 @gpu_block {
//     contract v0: f32 over i2 in min(64, m - 64 * i0), i3 in min(64, n - 64 * i1), sum i4 in k
//         of a[k * (64 * i0 + i2) + i4], b[k * (64 * i1 + i3) + i4] {
//       out[n * (64 * i0 + i2) + 64 * i1 + i3] = v0
//     }
//   } }
//
// becomes, with tile sizes tm, tn and tk,
//
//   for i0 in (m + tm - 1) // tm @gpu_block { for i1 in (n + tn - 1) // tn @gpu_block {
//     fill sum = 0.0
//     for i2 in (k + tk - 1) // tk { load lhs[i3, i4] = ...  load rhs[i3, i4] = ...  dot sum += lhs * rhs }
//     each i3, i4 of sum within m - tm * i0, n - tn * i1 { read v0: f32 = sum  write result = v0 }
//     store out[...] = result[i3, i4] within m - tm * i0, n - tn * i1
//   } }
//
// In: a kernel that verifies and whose body is grid loops around one `contract`. Out: the unmapped form of
// the skeleton "product" (skeleton.h); batches keep their loops, edges of tiles become limits. Refused, with
// the kernel as it was: other bodies, operands that are not one load each, rows or columns whose index
// depends on the tile they lie in, an epilogue with more than lets and stores.
#pragma once

#include "ridge/mapping/passes/rewritten.h"

namespace ridge::mapping {

Rewritten contract_to_tiles(loop::Kernel kernel);

}  // namespace ridge::mapping
