// Constants of the roofline model that no sheet gives. A guess is called a guess.
#pragma once

namespace ridge::cost::tuning {

// Bytes of a line where a sheet does not say, and what padding rounds rows up to: GPUs move lines
// of 128 bytes (four sectors of 32), and a row of whole ones also suits every 64-byte machine.
inline constexpr double kLineBytes = 128;

// Rows that are no multiple of this cannot be copied in bulk (a condition of the tensor maps of
// Hopper, and of 16-byte asynchronous copies on Ampere).
inline constexpr double kBulkCopyBytes = 16;

// Share of the matrix rate without bulk copies: what mma.sync kernels reach on an H100 next to
// wgmma fed by bulk copies. A guess for other devices.
inline constexpr double kUnalignedShare = 0.75;

// L2 over DRAM bandwidth, to rank tiles where a sheet has no l2.read: 6.65 against 3.35 TB/s on an
// H100. A guess elsewhere; it ranks and is never a printed time.
inline constexpr double kL2OverDram = 2;

// Sides of the squares in which a TPU multiplies, where no tile is given (v6e: 256).
inline constexpr double kMatrixUnitSide = 128;

// Rows of queries that stay on chip in flash attention where no tile is given: FlashAttention-3
// takes 128 (head sizes of 128) to 192 (of 64).
inline constexpr double kQueryRows = 128;

// The share of L2 that keys and values of a head may fill and still be found there by the next
// rows of queries. A guess: the rest holds queries, outputs and other heads.
inline constexpr double kL2Share = 0.5;

}  // namespace ridge::cost::tuning
