#include "ridge/cost/roofline/collective.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/roofline/operations.h"

namespace ridge::cost {

std::string_view name(Collective collective) {
  switch (collective) {
    case Collective::all_gather: return "all-gather";
    case Collective::reduce_scatter: return "reduce-scatter";
    case Collective::all_reduce: return "all-reduce";
    case Collective::all_to_all: return "all-to-all";
  }
  return "";
}

double Network::side() const {
  const double root = std::pow(devices, 1 / axes);
  const double whole = std::round(root);
  return std::pow(whole, axes) == devices ? whole : root;
}

namespace {

// The links of a torus that take part: two of each closed ring.
void take_links(Network& network, Rates& rates, const Query& query) {
  const double side = network.side();
  RIDGE_CHECK(side >= 2, .code = ErrorCode::value, .expected = "at least 2 devices along each axis",
              .given = concat(whole_text(query.devices), " devices along ", query.axes, " axes"));
  if (side != std::floor(side)) {
    rates.notice(concat(whole_text(query.devices), " devices make no ", query.axes,
                        " equal axes: the bounds are those of equal ones"));
  }
  const auto links = rates.sheet().value("link.device.links");
  if (!links) {
    rates.absent("link.device.links", "link.device is taken as what the collective may use");
    return;
  }
  const bool is_closed = !query.is_open && side > 2;
  const double used = query.axes * (is_closed ? 2 : 1);
  RIDGE_CHECK(used <= *links, .code = ErrorCode::value,
              .expected = concat("at most the ", *links, " links of a device"),
              .given = concat(query.axes, " axes"));
  network.sends.per_second *= used / *links;
  network.sends.figure += concat(", ", used, " of ", *links, " links");
  if (is_closed) rates.notice("axes are taken as closed rings; --open where they are not");
}

// From one device to another on average, itself included, along all axes of equal rings.
double mean_hops(const Network& network) {
  const double side = network.side();
  const bool is_even = std::fmod(side, 2) == 0;
  return network.axes * (is_even ? side : (side * side - 1) / side) / 4;
}

}  // namespace

Network network_for(Rates& rates, const Query& query, std::string_view what) {
  const Sheet& sheet = rates.sheet();
  RIDGE_CHECK(query.devices >= 2, .code = ErrorCode::value,
              .expected = concat("at least 2 devices for ", what, " (--devices)"),
              .given = whole_text(query.devices));
  Network network{.sends = {sheet.need("link.device", what), "link.device"},
                  .devices = query.devices,
                  .axes = query.axes,
                  .is_torus = sheet.kind == SheetKind::tpu,
                  .reduces = sheet.value("link.reduces").value_or(0) > 0,
                  .latency_s = sheet.value("link.device.latency").value_or(0)};
  RIDGE_CHECK(query.algorithm.empty() || query.algorithm == "ring" || query.algorithm == "switch",
              .code = ErrorCode::value, .expected = "an algorithm out of ring and switch",
              .given = concat("`", query.algorithm, "`"));
  if (query.algorithm == "switch" && !network.reduces) sheet.need("link.reduces", what);
  if (query.algorithm == "ring") network.reduces = false;
  if (network.is_torus) {
    take_links(network, rates, query);
  } else {
    RIDGE_CHECK(query.axes == 1 && !query.is_open, .code = ErrorCode::value,
                .expected = "--axes and --open with a TPU, whose devices form a torus",
                .given = concat("`", sheet.name, "`, whose devices are joined by switches"));
  }
  return network;
}

double sent_bytes(Collective collective, double bytes, const Network& network) {
  const double n = network.devices;
  switch (collective) {
    case Collective::all_gather:
    case Collective::reduce_scatter: return bytes * (n - 1) / n;
    case Collective::all_reduce: return network.reduces ? bytes : 2 * bytes * (n - 1) / n;
    case Collective::all_to_all:
      return network.is_torus ? bytes / n * mean_hops(network) : bytes * (n - 1) / (n * n);
  }
  return 0;
}

double collective_seconds(Collective collective, double bytes, const Network& network) {
  const double transfer = sent_bytes(collective, bytes, network) / network.sends.per_second;
  // A ring passes data on from device to device, both ways round, axis by axis; a switch is one hop away.
  const double hops = network.is_torus ? network.axes * std::floor(network.side() / 2) : 1;
  const double rounds = collective == Collective::all_reduce && !network.reduces ? 2 : 1;
  return std::max(transfer, hops * rounds * network.latency_s);
}

namespace {

Estimate estimate_collective(Collective collective, const Query& query) {
  Rates rates(*query.sheet);
  const std::string what(name(collective));
  const Network network = network_for(rates, query, what);
  const Rate memory = rates.memory(what);
  const double elements = query.sizes.product("elements");
  const double bytes = whole_product({elements, query.dtype.bytes}, "bytes");
  const double sent = sent_bytes(collective, bytes, network);
  Part part{.name = what,
            .bytes = 2 * sent,  // what is sent is read, what arrives is written
            .network_bytes = sent,
            .memory_s = 2 * sent / memory.per_second,
            .network_s = collective_seconds(collective, bytes, network)};
  // Of a reduce-scatter the model has devices add: what they send does not depend on who does.
  const bool is_switched = collective == Collective::all_reduce && network.reduces;
  const bool adds = collective == Collective::reduce_scatter ||
                    (collective == Collective::all_reduce && !is_switched);
  if (adds) {
    const Rate vector = rates.vector(query.dtype, false, what);
    part.flops = elements * (network.devices - 1) / network.devices;
    part.math_s = part.flops / vector.per_second;
  }
  const std::string operation =
      concat(what, " of ", query.sizes.shape_text(), " ", query.dtype.name, " over ",
             whole_text(query.devices), " devices", is_switched ? ", added in the switch" : "");
  Estimate estimate =
      frame_estimate(operation, query, rates, [&](const Sizes&) { return std::vector{part}; }, {});
  estimate.rates = {to_text(network.sends), to_text(memory)};
  // The rate at which a program sees its array move, beside what links carry.
  estimate.details = {{"array_bytes", bytes}, {"algorithm_bytes_per_s", bytes / part.network_s}};
  if (collective == Collective::all_reduce && !network.reduces) {
    Network switched = network;
    switched.reduces = true;
    if (query.sheet->value("link.reduces").value_or(0) > 0) {
      estimate.advice.push_back({"add in the switch instead of a ring",
                                 part.network_s - collective_seconds(collective, bytes, switched)});
    }
  }
  sort_advice(estimate);
  return estimate;
}

}  // namespace

Estimate estimate_all_gather(const Query& query) {
  return estimate_collective(Collective::all_gather, query);
}
Estimate estimate_reduce_scatter(const Query& query) {
  return estimate_collective(Collective::reduce_scatter, query);
}
Estimate estimate_all_reduce(const Query& query) {
  return estimate_collective(Collective::all_reduce, query);
}
Estimate estimate_all_to_all(const Query& query) {
  return estimate_collective(Collective::all_to_all, query);
}

}  // namespace ridge::cost
