// `ridge finetune`: trains a small change of a language model (LoRA) on a text, for a number of seconds.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "commands.h"
#include "interrupt.h"
#include "ridge/base/atomic_file.h"
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
constexpr size_t kHeldOut = 10;        // every tenth piece of a text is not trained on
constexpr size_t kMostEvaluated = 16;  // windows

struct FinetuneOptions {
  std::string model;
  std::string text;
  std::string out = "adapter.safetensors";
  int64_t rank = 8;
  double seconds = 30;
  double save_every = 60;
  double learning_rate = 1e-3;
  int64_t batch = 4;
  int64_t window = 64;
  uint64_t seed = 0;
  std::string device = "cpu";
};

// Tokens from which windows are cut. Of a text of ten windows or more a tenth is held out.
struct Corpus {
  std::vector<int64_t> trained, held_out;
};

// In pieces of a window, from the whole text: every tenth.
Corpus divided(std::vector<int64_t> tokens, size_t piece) {
  Corpus corpus;
  if (tokens.size() < kHeldOut * piece) return {.trained = std::move(tokens), .held_out = {}};
  for (size_t at = 0, number = 1; at < tokens.size(); at += piece, ++number) {
    const size_t end = std::min(at + piece, tokens.size());
    auto& part = number % kHeldOut == 0 && end - at == piece ? corpus.held_out : corpus.trained;
    part.insert(part.end(), tokens.begin() + static_cast<int64_t>(at),
                tokens.begin() + static_cast<int64_t>(end));
  }
  return corpus;
}

Corpus read_corpus(const FinetuneOptions& options, const text::Tokenizer& tokenizer) {
  auto tokens = models::to_ids(tokenizer.encode(read_file(options.text, kMostTextBytes)));
  const auto piece = static_cast<size_t>(options.window) + 1;  // a token to read, and its next
  RIDGE_CHECK(
      tokens.size() >= piece, .code = ErrorCode::value, .op = "finetune",
      .expected = concat("a text of at least ", piece, " tokens for --window ", options.window),
      .given = concat(tokens.size(), " in ", options.text),
      .hint = "a smaller --window takes a shorter text");
  const size_t count = tokens.size();
  Corpus corpus = divided(std::move(tokens), piece);
  if (corpus.held_out.empty()) {
    std::cerr << concat("(", count, " tokens are fewer than ", kHeldOut, " windows of ",
                        options.window, ": nothing is held out, all of the text is trained on)\n");
  }
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

double rounded(double loss) { return std::round(loss * 1e4) / 1e4; }

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
                .expected = concat("--window of at most ", context,
                                   " tokens, what the model was trained with"),
                .given = concat(options.window));
  }

  bool holds_out() const { return !corpus_.held_out.empty(); }

  // On what is held out, else on what is trained on: of windows all over it.
  double evaluated_loss() {
    const auto& tokens = holds_out() ? corpus_.held_out : corpus_.trained;
    const auto piece = static_cast<size_t>(options_.window) + 1;
    const size_t pieces = tokens.size() / piece, count = std::min(pieces, kMostEvaluated);
    double sum = 0;
    for (size_t i = 0; i < count; ++i) {
      const Windows part =
          windows_at(tokens, {i * pieces / count * piece}, options_.window, device_);
      sum += evaluate_(adapted_, part.ids, part.next).item<double>();
    }
    return sum / static_cast<double>(count);
  }

  // Steps until the time is up or Ctrl-C; how many. What there is is saved now and then.
  int64_t train() {
    const auto start = Clock::now();
    const auto elapsed = [&] {
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
    SplitMix64 random(options_.seed);
    const auto last = static_cast<int64_t>(corpus_.trained.size()) - options_.window - 1;
    double shown = 0, saved = 0;  // when a line was, when the adapter
    int64_t step = 1;
    for (; elapsed() < options_.seconds && !was_interrupted(); ++step) {
      std::vector<size_t> starts;
      for (int64_t i = 0; i < options_.batch; ++i) {
        starts.push_back(static_cast<size_t>(random.integer(0, last)));
      }
      const Windows part = windows_at(corpus_.trained, starts, options_.window, device_);
      const double loss = step_(adapted_, optimizer_, part.ids, part.next).item<double>();
      const double taken = elapsed();
      if (taken - saved >= options_.save_every) {
        try_to_save();
        saved = elapsed();
      }
      if (step > 1 && taken - shown < kSecondsBetweenLines) continue;
      shown = taken;
      const auto tokens = static_cast<double>(step * options_.batch * options_.window);
      std::cerr << concat("step ", step, "  loss ", rounded(loss), "  ", std::round(tokens / taken),
                          " tokens/s  ",
                          to_text(Bytes(allocator_for(device_).stats().peak_live_bytes)), "  ",
                          std::round(std::max(0.0, options_.seconds - taken)), " s left\n");
    }
    return step - 1;
  }

  void save() { files::save(options_.out, adapted_.adapters); }

 private:
  // Training goes on where the disk is full now: it may not be at the end.
  void try_to_save() try { save(); } catch (const Error& error) {
    std::cerr << concat("not saved: ", error.what(), "\n");
  }

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

// Before the work of which it is to keep the result.
void check_can_be_saved(const std::string& out) {
  const std::filesystem::path folder = std::filesystem::path(out).parent_path();
  RIDGE_CHECK(folder.empty() || std::filesystem::is_directory(folder), .code = ErrorCode::io,
              .op = "finetune", .expected = concat("a folder for ", out),
              .given = concat("no folder ", folder.string()));
  RIDGE_CHECK(!std::filesystem::is_directory(out), .code = ErrorCode::io, .op = "finetune",
              .expected = "a file for --out", .given = concat("the folder ", out));
  const AtomicFile file(out);  // made beside it, and gone at once
}

void run_finetune(const FinetuneOptions& options) {
  const Device device = as_usage([&] { return device_named(options.device); });
  device_runtime(device.kind);  // that there is none is said before anything is read
  check_can_be_saved(options.out);
  Finetuning finetuning(options);
  note_interrupts();
  note_terminations();
  const double before = finetuning.evaluated_loss();
  if (finetuning.train() == 0) {
    std::cerr << "stopped before the first step: no adapter is saved\n";
    throw CLI::RuntimeError(was_interrupted() ? interrupt_exit_code() : 1);
  }
  finetuning.save();
  const double after = finetuning.evaluated_loss();
  std::cout << concat("loss on text that was ", finetuning.holds_out() ? "not " : "",
                      "trained on: ", rounded(before), " before, ", rounded(after), " after\n",
                      options.out, ": the adapter\n");
}

}  // namespace

void add_finetune(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("finetune", "Train a small change (LoRA) of a language model on a text");
  auto options = std::make_shared<FinetuneOptions>();
  command
      ->add_option("model", options->model, "A GGUF file, a folder with one, or with config.json")
      ->required();
  command->add_option("--text", options->text, "What to train on; a tenth of it is held out")
      ->required();
  command->add_option("--lora", options->rank, "Rank of the change")
      ->check(whole_number(1, 1024))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "How long")
      ->check(real_number(0, 1e7))
      ->capture_default_str();
  command->add_option("--out", options->out, "The adapter, as safetensors; a new file is 0600")
      ->capture_default_str();
  command->add_option("--save-every", options->save_every, "Seconds from one save to the next")
      ->check(real_number(0, 1e7))
      ->capture_default_str();
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
      "Ctrl-C and SIGTERM stop, and save what there is. Examples:\n"
      "  ridge finetune model.gguf --text pirate.txt --seconds 30 --out pirate.safetensors\n"
      "  ridge chat model.gguf --lora pirate.safetensors");
  command->callback([options] { run_finetune(*options); });
}

}  // namespace ridge::command
