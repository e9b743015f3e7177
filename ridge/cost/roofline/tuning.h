// Constants of the roofline model that no sheet gives. None is measured here: each is by the
// architecture or a guess, and says which, and when it was set.
#pragma once

namespace ridge::cost::tuning {

// Bytes of a line where a sheet does not say, and what padding rounds rows up to: GPUs move lines
// of 128 bytes (four sectors of 32), and a row of whole ones also suits every 64-byte machine. By
// the architecture, set 2026-11-15.
inline constexpr double kLineBytes = 128;

// Rows that are no multiple of this many bytes cannot be copied in bulk: a condition of the tensor
// maps of Hopper, and of 16-byte asynchronous copies on Ampere. By the architecture, set 2026-11-15.
inline constexpr double kBulkCopyBytes = 16;

// Share of the matrix rate without bulk copies. A guess, set 2026-11-15, after what mma.sync
// kernels are said to reach on an H100 next to wgmma fed by bulk copies.
inline constexpr double kUnalignedShare = 0.75;

// L2 over DRAM bandwidth, to rank tiles where a sheet has no l2.read; it ranks and is never a
// printed time. A guess, set 2026-11-15, after 6.65 against 3.35 TB/s on an H100.
inline constexpr double kL2OverDram = 2;

// Elements of K that are left to each part when K is split: fewer do not pay for the start of a
// tile. A guess, set 2026-11-15.
inline constexpr double kLeastSplitLength = 256;

// Sides of the squares in which a TPU multiplies, where no tile is given: those of v6e are wider.
// By the architecture, set 2026-11-15.
inline constexpr double kMatrixUnitSide = 128;
inline constexpr double kMatrixUnitSideOfV6e = 256;

// Rows of queries that stay on chip in flash attention where no tile is given: FlashAttention-3
// takes 128 (head sizes of 128) to 192 (of 64). A guess for other kernels, set 2026-11-15.
inline constexpr double kQueryRows = 128;

// The share of L2 that keys and values of a head may fill and still be found there by the next
// rows of queries. A guess, set 2026-11-15: the rest holds queries, outputs and other heads.
inline constexpr double kL2Share = 0.5;

}  // namespace ridge::cost::tuning
