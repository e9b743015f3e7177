// Collectives: how long devices need to exchange an array of V bytes.
//
// V is the array as the program sees it, before it is split or after it is gathered; W is what a
// device sends a second. Over n devices:
//
//                    switched (GPUs)           ring (TPU torus axis)
//   all-gather       V (n-1)/n / W             the same, W of both directions of the ring
//   reduce-scatter   V (n-1)/n / W             the same
//   all-reduce       2 V (n-1)/n / W           the same: a reduce-scatter, then an all-gather
//     in the switch  V / W                     -
//   all-to-all       V (n-1)/n^2 / W           V / (4 W), less on odd rings: data passes n/4 devices
#pragma once

#include "ridge/cost/roofline/query.h"
#include "ridge/cost/roofline/rates.h"

namespace ridge::cost {

enum class Collective : uint8_t { all_gather, reduce_scatter, all_reduce, all_to_all };
std::string_view name(Collective collective);

struct Network {
  Rate sends;  // bytes a second and device, over the links that take part
  double devices = 1;
  bool is_torus = false;  // data to far devices passes near ones
  bool reduces = false;   // switches add in flight
  double latency_s = 0;   // of one hop; 0 where the sheet does not say
};

// From link.device; of a torus the links along `query.axes` axes: two for each that is a closed ring
// of more than two devices, one otherwise. `query.algorithm` may ask for ring or switch.
Network network_for(Rates& rates, const Query& query, std::string_view what);

double collective_seconds(Collective collective, double bytes, const Network& network);
// What one device sends.
double sent_bytes(Collective collective, double bytes, const Network& network);

}  // namespace ridge::cost
