#include "product_measure.h"

#include "product_check.h"
#include "product_clock.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"

namespace ridge::command {
namespace {

constexpr uint64_t kCheckSeed = 5;

struct Setting {
  ProductCase product;
  std::vector<ProductOperands> operands;
  std::vector<ExpectedElement> expected;
};

Setting setting_of(const ProductCase& product, const MeasureOptions& options) {
  Setting setting{product,
                  random_operands(product, sets_of(product, options.rotated_bytes), options.device),
                  {}};
  setting.expected = expected_elements(product, setting.operands, kCheckSeed);
  return setting;
}

ProductSide compiled(const std::string& name, const char* library, const Setting& setting,
                     Device device) {
  const ScopedKnob use(Knob::library, library);
  poison_results(setting.product, static_cast<int>(setting.operands.size()), device);
  return compiled_side(name, setting.product, setting.operands);
}

void check_side(const ProductSide& side, const Setting& setting) {
  check_elements(concat(to_text(setting.product), " by ", side.name), setting.expected,
                 side.outputs());
}

// One of each set of operands, and what it takes to compile a program for it that nobody has made yet.
double cold_compile_ms(const Setting& setting) {
  const ScopedKnob use(Knob::library, "never");
  return compiled_side("ours", setting.product, {setting.operands.front()})
      .entry->compiled->compile_ms();
}

// Checked before it is timed and after, when all of the device was busy.
std::function<double()> timed(const ProductSide& side, const Setting& setting,
                              const MeasureOptions& options) {
  return [&] {
    options.on_progress("timing " + side.name);
    check_side(side, setting);
    const double seconds = options.timer(side.run) / static_cast<double>(setting.operands.size());
    check_side(side, setting);
    return seconds;
  };
}

// The same sizes and operands without what makes the case special.
Setting plain_of(const Setting& setting, const MeasureOptions& options) {
  ProductCase plain = setting.product;
  plain.has_bias_gelu = false;
  plain.weights.reset();
  return setting_of(plain, options);
}

// What ours is compared with: the library for a plain product, its epilogue for a fused one, and our own product
// of 16-bit weights for quantized ones.
struct Peers {
  std::vector<ProductSide> sides;
  std::vector<const Setting*> settings;
  std::string note{};

  void add(ProductSide side, const Setting& setting) {
    sides.push_back(std::move(side));
    settings.push_back(&setting);
  }
};

void add_fused_peer(Peers& peers, const Setting& setting, Device device) {
  try {
    peers.add(fused_library_side(setting.product, setting.operands), setting);
  } catch (const Error& error) {
    peers.note = concat("no fused cuBLASLt (", error.given(), "): beside the library and a kernel");
    peers.add(compiled("cublaslt + kernel", "always", setting, device), setting);
  }
}

Peers peers_of(const Setting& setting, const Setting& plain, const MeasureOptions& options) {
  Peers peers;
  if (setting.product.has_bias_gelu) {
    add_fused_peer(peers, setting, options.device);
    peers.add(compiled("ours plain", "never", plain, options.device), plain);
  } else if (setting.product.weights) {
    peers.add(compiled("ours bf16", "never", plain, options.device), plain);
  } else {
    peers.add(compiled("cublaslt", "always", setting, options.device), setting);
  }
  return peers;
}

std::string note_on(const ProductSide& side, size_t sets) {
  const ProductPlanFigures figures = figures_of(side, sets);
  return side.name == "cublaslt" && !figures.is_library ? "the library declines this product" : "";
}

}  // namespace

double ProductResult::ratio() const {
  return peers.empty() || seconds <= 0 ? 0 : peers.front().seconds / seconds;
}

ProductResult measure_product(const ProductCase& product, const MeasureOptions& options) {
  ProductResult result{.product = product};
  options.on_progress("making operands");
  const Setting setting = setting_of(product, options);
  const bool is_plain = !product.has_bias_gelu && !product.weights;
  const Setting plain = is_plain ? Setting{} : plain_of(setting, options);
  options.on_progress("compiling ours");
  result.compile_ms = cold_compile_ms(setting);
  const ProductSide ours = compiled("ours", "never", setting, options.device);
  check_side(ours, setting);
  result.plan = figures_of(ours, setting.operands.size());
  options.on_progress("compiling what it is compared with");
  const Peers peers = peers_of(setting, plain, options);
  std::vector<std::function<double()>> sides{timed(ours, setting, options)};
  for (size_t i = 0; i < peers.sides.size(); ++i) {
    sides.push_back(timed(peers.sides[i], *peers.settings[i], options));
  }
  const std::vector<SoloTime> times = in_both_orders(sides);
  result.seconds = times[0].seconds;
  result.spread = times[0].spread;
  for (size_t i = 0; i < peers.sides.size(); ++i) {
    result.peers.push_back({peers.sides[i].name, times[i + 1].seconds, times[i + 1].spread});
  }
  result.note = peers.note;
  if (is_plain) result.note = note_on(peers.sides.front(), setting.operands.size());
  return result;
}

}  // namespace ridge::command
