// How many bytes a program touches between two launches of one of its kernels: what fits a cache
// with them is still there.
//
// Inputs, constants and what outlives the program, and of the rest as many as live at one time,
// since temporaries take each other's place. Known before there are groups, so that whoever asks
// for the price of a kernel (fusion, the choice of a mapping, the table of kernels) asks with the
// same number.
#pragma once

#include "ridge/schedule/inlined_graph.h"

namespace ridge::schedule {

double resident_bytes(const InlinedGraph& program);

}  // namespace ridge::schedule
