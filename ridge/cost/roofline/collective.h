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
//   all-to-all       V (n-1)/n^2 / W           V / n h / W, h the hops between two devices on average
//
// Along k axes of equal rings of m = n^(1/k) devices, h = k m / 4, and k (m^2-1) / (4 m) where m is
// odd. One axis: V / (4 W). A 4x4 torus: h = 2, V / (8 W), W being that of four links. Open axes have
// longer ways and half of the links; the links in their middle give the same formula.
#pragma once

#include "ridge/cost/roofline/query.h"
#include "ridge/cost/roofline/rates.h"

namespace ridge::cost {

enum class Collective : uint8_t { all_gather, reduce_scatter, all_reduce, all_to_all };
std::string_view name(Collective collective);

struct Network {
  Rate sends;  // bytes a second and device, over the links that take part
  double devices = 1;
  double axes = 1;        // of a torus
  bool is_torus = false;  // data to far devices passes near ones
  bool reduces = false;   // switches add in flight
  double latency_s = 0;   // of one hop; 0 where the sheet does not say

  // Devices along each axis; no whole number where axes must differ in length, and a bound then.
  double side() const;
};

// From link.device; of a torus the links along `query.axes` axes: two for each that is a closed ring
// of more than two devices, one otherwise. `query.algorithm` may ask for ring or switch. Error{value}
// for axes of devices that are joined by switches.
Network network_for(Rates& rates, const Query& query, std::string_view what);

double collective_seconds(Collective collective, double bytes, const Network& network);
// What one device sends.
double sent_bytes(Collective collective, double bytes, const Network& network);

}  // namespace ridge::cost
