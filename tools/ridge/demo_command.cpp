// `ridge demo`: draws images, trains a vision transformer on them with a compiled step, and says
// what compiling brought.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <memory>

#include "commands.h"
#include "demo_report.h"
#include "ridge/base/text.h"
#include "ridge/driver/compiled_report.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"
#include "usage.h"

namespace ridge::command {

namespace {

// Of steps, images and seconds: beyond it a slip of the hand.
constexpr int kMostOfAnything = 100000000;

struct DemoOptions {
  int64_t steps = 1000;
  int64_t batch_size = 64;
  int64_t train_images = 16384;
  int64_t test_images = 2048;
  uint64_t seed = 42;
  double time_limit = 90;
  int64_t stop_after = 0;
  int64_t compared_steps = 20;
  std::string device = "cpu";
  int64_t kernel_rows = 25;
  bool is_quiet = false;
  bool is_json = false;
};

constexpr int64_t kTimedSteps = 20;
constexpr double kTransformerRate = 3e-3;
constexpr double kLinearRate = 3e-3;

TrainSettings train_settings(const DemoOptions& options, double peak_rate) {
  return {.steps = options.steps,
          .batch_size = options.batch_size,
          .seed = options.seed,
          .peak_rate = peak_rate,
          .time_limit = options.time_limit,
          .stop_after = options.stop_after,
          .device = device_named(options.device),
          .is_quiet = options.is_quiet};
}

// The program of the training step; null where a build has none.
const driver::CompiledGraph* program_of(const Trainer<VisionTransformer>& trainer) {
  const auto entries = trainer.step().programs();
  const bool has_kernels = !entries.empty() && entries.back()->compiled->program() != nullptr;
  return has_kernels ? entries.back()->compiled.get() : nullptr;
}

DemoResult run_demo(const DemoOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto say = [&](const std::string& text) {
    if (!options.is_quiet) fmt::print(stderr, "{}\n", text);
  };
  if (options.device != "cpu") say(concat("on ", options.device));
  say(fmt::format("drawing {} images to train on and {} to test on: ten figures, {} x {} pixels",
                  options.train_images, options.test_images, kImageSide, kImageSide));
  const ImageSet train = draw_images(options.train_images, 2 * options.seed);
  const ImageSet test = draw_images(options.test_images, 2 * options.seed + 1);
  say(image_text(train, 3));

  const TrainSettings settings = train_settings(options, kTransformerRate);
  DemoResult result;
  result.device = settings.device;
  Generator generator(options.seed);
  Trainer<VisionTransformer> transformer(VisionTransformer(generator), settings);
  const int64_t compared = std::min(options.compared_steps, options.steps);
  if (compared > 0) say(fmt::format("comparing {} steps, eager with compiled", compared));
  result.comparison = compare(transformer, train, settings, compared);

  transformer.train(train, "vision transformer");
  result.train_seconds = transformer.seconds();
  result.losses = transformer.losses();
  transformer.time_kernels(train, kTimedSteps);
  if (const driver::CompiledGraph* compiled = program_of(transformer)) {
    result.kernels = driver::rows_of(*compiled);
    result.figures = report::figures_text(*compiled->plan().sheet, compiled->program()->gpu_name());
  }
  result.accuracy = transformer.accuracy(test);

  Trainer<PixelClassifier> linear(PixelClassifier(generator), train_settings(options, kLinearRate));
  linear.train(train, "linear classifier");
  result.linear_accuracy = linear.accuracy(test);
  result.seconds = seconds_since(start);
  return result;
}

void run(const DemoOptions& options) {
  RIDGE_CHECK(
      options.batch_size <= options.train_images, .code = ErrorCode::value, .op = "demo",
      .expected = concat("at least one batch of images to train on, --batch ", options.batch_size),
      .given = concat("--train-images ", options.train_images), .where = Location::current());
  const Device device = as_usage([&] { return device_named(options.device); });
  device_runtime(device.kind);  // that there is none is said before anything is drawn
  const DemoResult result = run_demo(options);
  std::FILE* out = options.is_json ? stderr : stdout;
  if (!options.is_json || !options.is_quiet) {
    print_kernels(out, result, options.kernel_rows);
    print_summary(out, result);
  }
  if (options.is_json) fmt::print("{}\n", json_text(result));
}

}  // namespace

void add_demo(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("demo",
                         "Train a vision transformer on images drawn here, and compare "
                         "its compiled step with the eager one");
  auto options = std::make_shared<DemoOptions>();
  const auto number = [&](const std::string& name, auto& value, const std::string& help) {
    command->add_option(name, value, help)
        ->check(whole_number(1, kMostOfAnything))
        ->capture_default_str();
  };
  number("--steps", options->steps, "Steps of training");
  number("--batch", options->batch_size, "Images in a step");
  number("--train-images", options->train_images, "Images to train on");
  number("--test-images", options->test_images, "Images to test on");
  command
      ->add_option("--time-limit", options->time_limit, "Seconds after which a training ends early")
      ->check(real_number(1, kMostOfAnything))
      ->capture_default_str();
  command->add_option("--device", options->device, "cpu, cuda or cuda:<number>")
      ->capture_default_str();
  command
      ->add_option("--stop-after", options->stop_after,
                   "Steps after which a training ends, at the rates of the whole one; 0 for all")
      ->check(whole_number(0, kMostOfAnything));
  command
      ->add_option("--compare", options->compared_steps,
                   "Steps made eagerly, too; 0 for no comparison")
      ->check(whole_number(0, kMostOfAnything))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of the images and the weights")
      ->check(whole_number(0, std::numeric_limits<uint64_t>::max()))
      ->capture_default_str();
  command->add_option("--rows", options->kernel_rows, "Of the table of kernels; 0 for all")
      ->check(whole_number(0, kMostOfAnything))
      ->capture_default_str();
  command->add_flag("--quiet", options->is_quiet, "No progress on stderr");
  command->add_flag("--json", options->is_json,
                    "Print one JSON object on one line of stdout, all else on stderr");
  command->callback([options] { run(*options); });
}

}  // namespace ridge::command
