// `ridge products`: matrix products in tiles of a mapping beside cuBLASLt, and how well they are predicted.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "child_process.h"
#include "commands.h"
#include "product_report.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/core/device_runtime.h"
#include "ridge/runtime/cuda/device_properties.h"
#include "ridge/runtime/cuda/driver_api.h"
#include "usage.h"

namespace ridge::command {
namespace {

using Json = nlohmann::json;

constexpr int kFailed = 1, kNotMet = 3;
// Of one step, such as compiling or timing a side.
constexpr double kSecondsOfStep = 40;
// A GPU on which so many products hang in turn is not worth the time of the others.
constexpr int kMostHangs = 3;
constexpr double kPredictedRotation = 2 * (50 << 20);  // where there is no GPU to ask for its cache

struct ProductFlags {
  std::vector<std::string> products;
  std::string json, sheet = kUsualGpu;
  double seconds = 1.2, limit = 1e6;
  uint64_t seed = 1;
  int draw = 0, others = 4;
  bool is_predicted = false, is_checked = false, is_list = false;
};

std::vector<ListedProduct> chosen_products(const ProductFlags& flags) {
  std::vector<ListedProduct> chosen;
  for (const ProductCase& drawn : drawn_products(flags.seed, flags.draw)) chosen.push_back({drawn});
  for (const std::string& word : flags.products) {
    ListedProduct given{parse_product(word), {}};
    for (const ListedProduct& listed : listed_products()) {
      if (to_text(listed.product) == to_text(given.product)) given = listed;
    }
    chosen.push_back(given);
  }
  return chosen.empty() ? listed_products() : chosen;
}

// In a process of its own: after a driver was asked, no child could use it.
void need_gpu_for_children() {
  std::string reason;
  const auto ask = [](int out) {
    const auto& found = runtime::cuda::cuda_availability();
    write_line(out, found.is_available ? "" : found.reason);
    return 0;
  };
  run_child(ask, kSecondsOfStep, [&](const std::string& line) { reason = line; });
  RIDGE_CHECK(reason.empty(), .code = ErrorCode::device, .op = "products",
              .expected = "an NVIDIA GPU", .given = reason);
}

// What the child does, from product `first` on: a line of JSON for each, in order. An error may be one that no
// later work on the device survives, so it is the last thing that a child does.
int measure_all(const std::vector<ListedProduct>& products, size_t first, const ProductFlags& flags,
                int out) {
  const auto properties = runtime::cuda::device_properties(0);
  const MeasureOptions options{.timer = device_timer({DeviceKind::cuda, 0}, flags.seconds),
                               .rotated_bytes = 2 * static_cast<double>(properties.l2_bytes),
                               .on_progress = [&](const std::string& what) {
                                 write_line(out, Json{{"step", what}}.dump());
                               }};
  for (size_t i = first; i < products.size(); ++i) {
    const ProductCase& product = products[i].product;
    Json json;
    try {
      json = flags.draw > 0 ? to_json(rank_product(product, options, flags.others))
                            : to_json(measure_product(product, options));
    } catch (const std::exception& error) {
      json = failed_product(product, error.what());
    }
    json["gpu"] = properties.name;
    write_line(out, json.dump());
    // What one took is not left to the others.
    device_runtime(DeviceKind::cuda).allocator(options.device).trim();
    if (json.dump().find("\"error\"") != std::string::npos) return kFailed;
  }
  return 0;
}

void show_step(size_t number, size_t all, const std::string& product, const std::string& what) {
  fmt::print(stderr, "[{} of {}] {}: {}\n", number + 1, all, product, what);
}

// Lines of JSON are added to it; none where it has no name.
std::ofstream open_lines(const std::string& path) {
  std::ofstream file;
  if (path.empty()) return file;
  file.open(path, std::ios::app);
  RIDGE_CHECK(file.is_open(), .code = ErrorCode::io, .op = "products",
              .expected = "a file that can be written", .given = path);
  return file;
}

// Measures all of them in children, each of which goes on where the one before has ended.
class ProductRun {
 public:
  ProductRun(const std::vector<ListedProduct>& products, const ProductFlags& flags)
      : products_(products), flags_(flags), file_(open_lines(flags.json)) {}

  std::vector<Json> results() {
    try {
      while (results_.size() < products_.size() && hangs_ < kMostHangs) run_rest();
    } catch (const TimeIsOver&) {}
    return results_;
  }

 private:
  struct TimeIsOver {};

  const ListedProduct& current() const { return products_[results_.size()]; }

  // Until all are measured, or the child has ended.
  void run_rest() {
    step_ = "starting";
    has_failed_ = false;
    const size_t first = results_.size();
    const ChildEnd end = run_child(
        [&](int out) { return measure_all(products_, first, flags_, out); },
        kSecondsOfStep + 2 * flags_.seconds, [&](const std::string& line) { hear(line); });
    hangs_ = end.kind == ChildEnd::Kind::timed_out ? hangs_ + 1 : 0;
    if (results_.size() < products_.size() && !has_failed_) {
      add(failed_product(current().product, concat("while ", step_, ": ", end.to_text())));
    }
  }

  void hear(const std::string& line) {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
    if (since.count() > flags_.limit) throw TimeIsOver();
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) return;
    if (json.contains("step")) {
      step_ = json["step"].get<std::string>();
      show_step(results_.size(), products_.size(), to_text(current().product), step_);
      return;
    }
    add(json);
    has_failed_ = line.find("\"error\"") != std::string::npos;
  }

  void add(const Json& result) {
    if (file_.is_open()) file_ << result.dump() << std::endl;
    fmt::print("{}",
               flags_.draw > 0 ? ranked_text(result) : product_table_row(result, current().goal));
    std::fflush(stdout);
    results_.push_back(result);
  }

  const std::vector<ListedProduct>& products_;
  const ProductFlags& flags_;
  std::ofstream file_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<Json> results_;
  std::string step_;
  int hangs_ = 0;            // in turn
  bool has_failed_ = false;  // and the child has said so itself
};

int predict(const std::vector<ListedProduct>& products, const ProductFlags& flags) {
  const auto sheet = sheet_for(flags.sheet);
  if (sheet->kind != cost::SheetKind::gpu) {
    throw CLI::ValidationError("expected the sheet of a GPU, given " + sheet->name);
  }
  const ScopedKnob library(Knob::library, "never");
  std::ofstream file = open_lines(flags.json);
  fmt::print("{}", product_table_head());
  for (const ListedProduct& listed : products) {
    const ProductCase& product = listed.product;
    ProductResult result{.product = product};
    result.plan = predicted_figures(product, sets_of(product, kPredictedRotation), sheet);
    fmt::print("{}", product_table_row(to_json(result), listed.goal));
    std::fflush(stdout);
    if (file.is_open()) file << to_json(result).dump() << "\n";
  }
  fmt::print("On the sheet {} ({}), predictions only.\n", sheet->name, sheet->version);
  return 0;
}

bool has_error(const Json& result) { return result.contains("error"); }

int measure(const std::vector<ListedProduct>& products, const ProductFlags& flags) {
  need_gpu_for_children();
  if (flags.draw == 0) fmt::print("{}", product_table_head());
  const std::vector<Json> results = ProductRun(products, flags).results();
  if (results.size() < products.size()) {
    fmt::print("stopped after {} of {} products\n", results.size(), products.size());
  }
  bool holds = results.size() == products.size();
  if (flags.draw > 0) {
    const RankShares shares = rank_shares(results);
    fmt::print("{}", to_text(shares));
    holds = shares.holds();
  } else {
    for (size_t i = 0; i < results.size(); ++i) holds &= meets(results[i], products[i].goal);
    const MedianRatio median = median_ratio(results, products);
    fmt::print("{}", median.to_text());
    holds &= median.holds();
  }
  if (std::ranges::any_of(results, has_error)) return kFailed;
  return flags.is_checked && !holds ? kNotMet : 0;
}

int run(const ProductFlags& flags) {
  const std::vector<ListedProduct> products = as_usage([&] { return chosen_products(flags); });
  if (flags.is_list) {
    for (const ListedProduct& one : products) fmt::print("{}\n", to_text(one.product));
    return 0;
  }
  return flags.is_predicted ? predict(products, flags) : measure(products, flags);
}

}  // namespace

void add_products(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "products", "Time matrix products in generated tiles beside cuBLASLt, each alone");
  auto flags = std::make_shared<ProductFlags>();
  command->add_option(
      "product", flags->products,
      "MxNxK[:nn|nt|tn|tt][:bf16|f16][:bias_gelu|int8|int4]; by default nt, of "
      "operands [M, K] and [N, K], in bf16. Without any: those that Ridge is judged by");
  command->add_option("--seconds", flags->seconds, "How long each side runs alone, in each order")
      ->check(real_number(1e-3, 60))
      ->capture_default_str();
  CLI::Option* const draws =
      command
          ->add_option("--draw", flags->draw,
                       "Draw so many products by --seed, and compare predicted with measured times "
                       "and the order of mappings")
          ->check(whole_number(1, 10000));
  command->add_option("--seed", flags->seed, "Of the products drawn")
      ->check(whole_number(0, uint64_t{1} << 53))
      ->capture_default_str();
  command->add_option("--mappings", flags->others, "Of each product drawn, beside the one chosen")
      ->check(whole_number(0, 100))
      ->capture_default_str();
  command->add_option("--limit", flags->limit, "Begin nothing more after so many seconds")
      ->check(real_number(1, 1e6));
  command->add_option("--json", flags->json, "Add a line of JSON for each product to this file");
  command->add_option("--sheet", flags->sheet, "What --predict plans for")->capture_default_str();
  CLI::Option* const predicts = command->add_flag(
      "--predict", flags->is_predicted, "Plan for --sheet and run nothing: no GPU is needed");
  command->add_flag("--list", flags->is_list, "List the products and run none");
  CLI::Option* const checks = command->add_flag("--check", flags->is_checked,
                                                "Exit with 3 unless all that is wanted is met");
  predicts->excludes(draws)->excludes(checks);
  command->footer(
      "Examples:\n  ridge products --json products.json\n"
      "  ridge products 4096x4096x4096:nn 16384x3072x768:bias_gelu --seconds 2\n"
      "  ridge products --draw 40 --seed 7 --seconds 0.3\n"
      "  ridge products --predict");
  command->callback([flags] {
    const int code = run(*flags);
    if (code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace ridge::command
