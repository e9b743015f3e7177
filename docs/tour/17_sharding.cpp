// Lesson 17: sharding, or when two devices are faster than one.
//
// A matmul split over devices has less math for each of them, and something to send. What is sent
// depends on the dimension that is split; whether the links bind depends on one size, and that size
// is a ratio of two figures of the sheet.
#include <cstdio>
#include <string>

#include "ridge/cost/roofline/operations.h"
#include "ridge/cost/sheets.h"
#include "ridge/ridge.h"

using namespace ridge;

// X[B,D] W[D,F] in bf16 with `split` (B, D or F) over `devices`.
cost::Estimate sharded(const cost::Sheet& sheet, const std::string& shape, const char* split,
                       double devices, const char* algorithm = "") {
  const cost::Operation& operation = cost::find_operation("sharded");
  return operation.estimate({.sheet = &sheet,
                             .sizes = cost::parse_sizes(shape, operation.dimensions),
                             .algorithm = algorithm,
                             .devices = devices,
                             .split = split});
}

void show(const std::string& what, const cost::Estimate& e) {
  std::printf("%-30s math %6.1f us, memory %6.1f us, network %6.1f us: %s\n", what.c_str(),
              e.t_math_s * 1e6, e.t_memory_s * 1e6, e.t_network_s * 1e6,
              std::string(name(e.regime)).c_str());
}

double crossover(const cost::Estimate& e, std::string_view dimension) {
  for (const cost::Crossover& along : e.crossovers) {
    if (along.dimension == dimension) return along.at.value_or(0);
  }
  return 0;
}

int main() {
  // 1. D split over two TPUs: each has half of the sum, B F numbers, and they are added by an
  // all-reduce, for which each sends 2 B F bytes over the one link between them: W = 50 GB/s, a
  // quarter of the 200 of all four.
  //
  //   math      2 B D F / (2 C)        network      2 B F / W
  //
  // B and F are in both, so they do not matter: compute binds from D = 2 C / W
  // = 2 * 197e12 / 50e9 = 7880 on. Below, the two wait for their link.
  const auto tpu = cost::find_sheet("tpu-v5e");
  for (const char* d : {"2048", "7872", "7888", "16384"}) {
    show(std::string("D = ") + d + " over 2",
         sharded(*tpu, std::string("B=512,F=8192,D=") + d, "D", 2));
  }
  for (const char* shape : {"B=512,D=16384,F=8192", "B=4096,D=16384,F=1024"}) {
    std::printf("%s: compute-bound from D = %.1f\n", shape,
                crossover(sharded(*tpu, shape, "D", 2), "K"));
  }

  // Is it worth it? One device needs 2 B D F / C, and the link alone 2 B F / W: below
  // D = C / W = 3940 a second device makes it slower. For D = 2048 one needs
  // 2 * 512 * 2048 * 8192 / 197e12 = 87.2 us, and two wait 167.8 us for their link.
  const cost::Estimate small = sharded(*tpu, "B=512,F=8192,D=2048", "D", 2);
  std::printf("D = 2048: one device %.1f us, two %.1f us\n\n",
              2.0 * 512 * 2048 * 8192 / *tpu->value("matrix.bf16") * 1e6, small.lower_s * 1e6);

  // 2. B split: each device has rows of its own, and gathers the weights, which lie in parts. That
  // is what data parallel training with sharded weights does. Over n devices of a ring, whose two
  // links give W = 100 GB/s,
  //
  //   math      2 B D F / (n C)        network      2 D F (n - 1) / n / W
  //
  // and compute binds from B = (n - 1) C / W on, which is 1970 for each of the other devices: with
  // n = 8, B = 13790. Now D and F do not matter.
  for (const char* b : {"8192", "13784", "13792", "32768"}) {
    show(std::string("B = ") + b + " over 8",
         sharded(*tpu, std::string("D=8192,F=8192,B=") + b, "B", 8));
  }

  // 3. GPUs behind a switch that adds in flight: an all-reduce sends B F numbers once, whatever the
  // number of devices, and a ring 2 (n - 1) / n times. With n = 8, C = 989e12, W = 450e9, compute
  // binds from D = n C / W = 17582 on, by a ring from 2 (n - 1) C / W = 30769.
  std::printf("\n");
  const auto h200 = cost::find_sheet("h200");
  for (const char* algorithm : {"switch", "ring"}) {
    const cost::Estimate e = sharded(*h200, "B=4096,F=8192,D=16384", "D", 8, algorithm);
    show(std::string("h200 over 8 by a ") + algorithm, e);
    std::printf("  compute-bound from D = %.1f\n", crossover(e, "K"));
  }
  // Now run `ridge roofline sharded B=512,D=2048,F=8192 --split D --devices 2 --device tpu-v5e`
  // and look: its advice is to leave the result split.
}
