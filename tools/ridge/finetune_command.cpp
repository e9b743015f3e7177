// `ridge finetune`: trains a small change of a language model (LoRA) on a text, for a number of seconds.
#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "commands.h"
#include "interrupt.h"
#include "ridge/base/files.h"
#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/core/device_runtime.h"
#include "ridge/files/save.h"
#include "ridge/models/llama.h"
#include "ridge/models/tokenizer.h"
#include "ridge/ridge.h"
#include "usage.h"

namespace ridge::command {
namespace {

using Clock = std::chrono::steady_clock;
using Adapted = nn::Lora<models::Llama>;
using Optimizer = nn::AdamW<Adapted>;

constexpr size_t kMostTextBytes = size_t{1} << 30;
constexpr double kSecondsBetweenLines = 0.5;
constexpr size_t kHeldOut = 10;  // every tenth line is not trained on

struct FinetuneOptions {
  std::string model;
  std::string text;
  std::string out = "adapter.safetensors";
  int64_t rank = 8;
  double seconds = 30;
  double learning_rate = 1e-3;
  int64_t batch = 4;
  int64_t window = 64;
  uint64_t seed = 0;
  std::string device = "cpu";
};

// Tokens of lines one behind the other, from which windows are cut.
struct Corpus {
  std::vector<int64_t> trained, held_out;
};

Corpus read_corpus(const FinetuneOptions& options, const text::Tokenizer& tokenizer) {
  Corpus corpus;
  std::istringstream lines(read_file(options.text, kMostTextBytes));
  size_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    const auto ids = tokenizer.encode(line + "\n");
    auto& part = number % kHeldOut == kHeldOut - 1 ? corpus.held_out : corpus.trained;
    part.insert(part.end(), ids.begin(), ids.end());
  }
  const auto least = static_cast<size_t>(options.window) + 1;
  RIDGE_CHECK(corpus.trained.size() >= least && corpus.held_out.size() >= least,
              .code = ErrorCode::value, .op = "finetune",
              .expected = concat("at least ", least,
                                 " tokens to train on, and in every tenth line together"),
              .given = concat(corpus.trained.size(), " and ", corpus.held_out.size(), " in ",
                              options.text));
  return corpus;
}

// Windows of tokens that start at these places: what is read, and what follows each token.
struct Windows {
  Tensor ids, next;
};

Windows windows_at(const std::vector<int64_t>& tokens, const std::vector<size_t>& starts,
                   int64_t window, Device device) {
  std::vector<int64_t> ids, next;
  for (const size_t start : starts) {
    const auto from = tokens.begin() + static_cast<int64_t>(start);
    ids.insert(ids.end(), from, from + window);
    next.insert(next.end(), from + 1, from + window + 1);
  }
  const Shape shape{static_cast<int64_t>(starts.size()), window};
  return {to_device(Tensor::of(ids, shape), device), to_device(Tensor::of(next, shape), device)};
}

Tensor language_loss(const Adapted& adapted, const Tensor& ids, const Tensor& next) {
  return cross_entropy(flatten(adapted.model()(ids), 0, 1), flatten(next, 0, 1));
}

class Finetuning {
 public:
  explicit Finetuning(const FinetuneOptions& options)
      : options_(options),
        device_(device_named(options.device)),
        generator_(options.seed),
        adapted_(models::open_llama(options.model, {.device = device_}), {.rank = options.rank},
                 generator_),
        corpus_(read_corpus(options, models::open_tokenizer(options.model))),
        optimizer_(adapted_, {.learning_rate = options.learning_rate}) {
    const int64_t context = adapted_.base.config.context;
    RIDGE_CHECK(options.window <= context, .code = ErrorCode::value, .op = "finetune",
                .expected = concat("a window of at most ", context,
                                   " tokens, what the model was trained with"),
                .given = concat(options.window));
  }

  double held_out_loss() {
    const auto window = static_cast<size_t>(options_.window);
    double sum = 0;
    int count = 0;
    for (size_t at = 0; at + window < corpus_.held_out.size() && count < 16;
         at += window, ++count) {
      const Windows part = windows_at(corpus_.held_out, {at}, options_.window, device_);
      sum += evaluate_(adapted_, part.ids, part.next).item<double>();
    }
    return sum / count;
  }

  // Steps until the time is up or Ctrl-C.
  void train() {
    const auto start = Clock::now();
    const auto elapsed = [&] {
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
    SplitMix64 random(options_.seed);
    const auto last = static_cast<int64_t>(corpus_.trained.size()) - options_.window - 1;
    double shown = 0;  // when a line was
    for (int64_t step = 1; elapsed() < options_.seconds && !was_interrupted(); ++step) {
      std::vector<size_t> starts;
      for (int64_t i = 0; i < options_.batch; ++i) {
        starts.push_back(static_cast<size_t>(random.integer(0, last)));
      }
      const Windows part = windows_at(corpus_.trained, starts, options_.window, device_);
      const double loss = step_(adapted_, optimizer_, part.ids, part.next).item<double>();
      const double taken = elapsed();
      if (step > 1 && taken - shown < kSecondsBetweenLines) continue;
      shown = taken;
      const auto tokens = static_cast<double>(step * options_.batch * options_.window);
      std::cerr << concat("step ", step, "  loss ", rounded(loss, 1000), "  ",
                          rounded(tokens / taken, 1), " tokens/s  ",
                          to_text(Bytes(allocator_for(device_).stats().peak_live_bytes)), "  ",
                          rounded(std::max(0.0, options_.seconds - taken), 1), " s left\n");
    }
  }

  void save() { files::save(options_.out, adapted_.adapters); }

 private:
  static double rounded(double x, double scale) { return std::round(x * scale) / scale; }

  struct Step {
    Tensor operator()(Adapted& adapted, Optimizer& optimizer, const Tensor& ids,
                      const Tensor& next) const {
      const auto loss = [&](const Adapted& now) { return language_loss(now, ids, next); };
      const auto [value, gradient] = value_and_grad(loss)(adapted);
      optimizer.update(adapted, gradient);
      return value;
    }
  };

  const FinetuneOptions& options_;
  Device device_;
  Generator generator_;
  Adapted adapted_;
  Corpus corpus_;
  Optimizer optimizer_;
  Compiled<Step> step_ = compile(Step(), {.name = "finetune"});
  Compiled<decltype(&language_loss)> evaluate_ = compile(&language_loss, {.name = "held_out"});
};

void run_finetune(const FinetuneOptions& options) {
  const Device device = as_usage([&] { return device_named(options.device); });
  device_runtime(device.kind);  // that there is none is said before anything is read
  // Before the work of which it is to keep the result.
  const std::filesystem::path folder = std::filesystem::path(options.out).parent_path();
  RIDGE_CHECK(folder.empty() || std::filesystem::is_directory(folder), .code = ErrorCode::io,
              .op = "finetune", .expected = concat("a folder for ", options.out),
              .given = concat("no folder ", folder.string()));
  Finetuning finetuning(options);
  note_interrupts();
  const double before = finetuning.held_out_loss();
  finetuning.train();
  finetuning.save();
  const double after = finetuning.held_out_loss();
  std::cout << concat("loss on lines that were not trained on: ", before, " before, ", after,
                      " after\n", options.out, ": the adapter\n");
}

}  // namespace

void add_finetune(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("finetune", "Train a small change (LoRA) of a language model on a text");
  auto options = std::make_shared<FinetuneOptions>();
  command->add_option("model", options->model, "A GGUF file, or a folder with config.json")
      ->required();
  command->add_option("--text", options->text, "What to train on; every tenth line is held out")
      ->required();
  command->add_option("--lora", options->rank, "Rank of the change")
      ->check(whole_number(1, 1024))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "How long")
      ->check(real_number(0, 1e7))
      ->capture_default_str();
  command->add_option("--out", options->out, "The adapter, as safetensors")->capture_default_str();
  command->add_option("--learning-rate", options->learning_rate, "Of AdamW")
      ->check(real_number(0, 10))
      ->capture_default_str();
  command->add_option("--batch", options->batch, "Windows of text in a step")
      ->check(whole_number(1, 4096))
      ->capture_default_str();
  command->add_option("--window", options->window, "Tokens of a window")
      ->check(whole_number(2, 1 << 16))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of the windows and of the adapter")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  command->add_option("--device", options->device, "cpu, cuda or cuda:<number>")
      ->capture_default_str();
  command->footer(
      "Ctrl-C stops, and saves what there is. Examples:\n"
      "  ridge finetune model.gguf --text pirate.txt --seconds 30 --out pirate.safetensors\n"
      "  ridge chat model.gguf --lora pirate.safetensors");
  command->callback([options] { run_finetune(*options); });
}

}  // namespace ridge::command
