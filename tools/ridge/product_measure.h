// One product measured: ours beside those it is compared with, each alone, in both orders, all of them right.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "product_clock.h"
#include "product_side.h"

namespace ridge::command {

struct PeerTime {
  std::string name;
  double seconds = 0, spread = 0;
};

struct ProductResult {
  ProductCase product;
  std::string error{};    // why it has no times
  double seconds = 0;     // of ours
  double spread = 0;      // between both orders
  double compile_ms = 0;  // of one product as a program, cold
  ProductPlanFigures plan{};
  std::vector<PeerTime> peers{};  // the first is what the ratio is of
  std::string note{};

  double tflops() const { return product.flops() / seconds * 1e-12; }
  double tbytes() const { return product.bytes() / seconds * 1e-12; }
  // Of the first peer's time to ours; 0 where there is none.
  double ratio() const;
};

struct MeasureOptions {
  Device device{DeviceKind::cuda, 0};
  SoloTimer timer{};
  double rotated_bytes = 0;  // of all sets together: more than the last cache holds
  // What is about to be done: the last one says what hangs.
  std::function<void(const std::string& what)> on_progress = [](const std::string&) {};
};

// Error{state} where a result is wrong; other errors of compiling and running.
ProductResult measure_product(const ProductCase& product, const MeasureOptions& options);

}  // namespace ridge::command
