// `ridge chat`: a conversation with a language model, streamed, and how far it was from the floor.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "commands.h"
#include "interrupt.h"
#include "read_speed.h"
#include "ridge/base/text.h"
#include "ridge/files/save.h"
#include "ridge/models/generate.h"
#include "ridge/models/llama.h"
#include "ridge/models/tokenizer.h"
#include "ridge/ridge.h"
#include "ridge/text/chat.h"
#include "usage.h"

namespace ridge::command {
namespace {

constexpr int64_t kMostChatTokens = 1 << 20;
// Of --context 0: the cache of a model that was trained with 131072 tokens would take more memory than its weights.
constexpr int64_t kUsualContext = 4096;

struct ChatOptions {
  std::string model;
  std::string adapter;
  std::string system;
  std::vector<std::string> prompts;
  std::vector<std::string> stop_words;
  models::Sampling sampling{.temperature = 0.7, .top_k = 40, .top_p = 0.95};
  uint64_t seed = 0;
  int64_t most_tokens = 512;
  int64_t context = 0;
  std::string device = "cpu";
};

// Text that has arrived, up to the first stop word. What may be the start of one is held back.
class StopWords {
 public:
  explicit StopWords(const std::vector<std::string>& words) : words_(words) {}

  // What may be shown now.
  std::string push(const std::string& text) {
    pending_ += text;
    size_t end = pending_.size();
    for (const std::string& word : words_) {
      if (const size_t at = pending_.find(word); at != std::string::npos) {
        end = std::min(end, at);
        has_stopped_ = true;
      }
    }
    if (!has_stopped_) end = pending_.size() - longest_start();
    std::string shown = pending_.substr(0, end);
    pending_.erase(0, end);
    return shown;
  }
  std::string flush() { return has_stopped_ ? "" : std::exchange(pending_, ""); }
  bool has_stopped() const { return has_stopped_; }

 private:
  // The longest end of what is pending that a word starts with.
  size_t longest_start() const {
    size_t longest = 0;
    for (const std::string& word : words_) {
      for (size_t n = std::min(word.size() - 1, pending_.size()); n > longest; --n) {
        if (pending_.ends_with(word.substr(0, n))) longest = n;
      }
    }
    return longest;
  }

  const std::vector<std::string>& words_;
  std::string pending_;
  bool has_stopped_ = false;
};

// The model, with the changes of an adapter that `ridge finetune` wrote.
models::Llama open_model(const ChatOptions& options) {
  models::Llama model = models::open_llama(options.model, {.device = device_named(options.device)});
  if (options.adapter.empty()) return model;
  const files::WeightFile file = files::open_weights(options.adapter);
  int64_t rank = 0;
  for (const files::StoredTensor& stored : file.tensors()) {
    if (stored.name.ends_with(".down") && !stored.shape.empty()) rank = stored.shape[0];
  }
  RIDGE_CHECK(rank > 0, .code = ErrorCode::value, .op = "chat",
              .expected = "an adapter, with tensors named ....down", .given = options.adapter);
  Generator generator(0);
  nn::Lora<models::Llama> adapted(model, {.rank = rank}, generator);
  files::load(options.adapter, adapted.adapters);
  return adapted.model();
}

class Chat {
 public:
  explicit Chat(const ChatOptions& options)
      : options_(options),
        model_(open_model(options)),
        tokenizer_(models::open_tokenizer(options.model)),
        format_(text::find_chat_format(tokenizer_, models::architecture_of(options.model))),
        session_(model_, {.capacity = capacity()}) {
    RIDGE_CHECK(tokenizer_.size() <= model_.config.vocabulary, .code = ErrorCode::value,
                .op = "chat",
                .expected = concat("a tokenizer of at most ", model_.config.vocabulary,
                                   " tokens, the vocabulary of the model"),
                .given = concat(tokenizer_.size(), " in ", options.model));
    options_.sampling.vocabulary = tokenizer_.size();
    if (!options.system.empty()) messages_.push_back({"system", options.system});
    for (int32_t id = 0; id < tokenizer_.size(); ++id) {
      if (tokenizer_.is_end(id)) stop_.push_back(id);
    }
  }

  // Streams the answer to stdout. False, with a message, for a question that is longer than the context.
  bool ask(const std::string& question) {
    if (!add_question(question)) return false;
    text::StreamDecoder stream(tokenizer_);
    StopWords words(options_.stop_words);
    std::string answer;
    const auto show = [&](const std::string& text) {
      answer += text;
      std::cout << text << std::flush;
    };
    const models::Generated made = session_.generate(
        new_tokens(), {.most_tokens = options_.most_tokens,
                       .sampling = options_.sampling,
                       .seed = options_.seed + messages_.size(),
                       .stop = stop_,
                       .on_token = [&](int64_t token) {
                         fed_.push_back(token);
                         show(words.push(stream.push(static_cast<int32_t>(token))));
                         return !words.has_stopped() && !was_interrupted();
                       }});
    show(words.push(stream.flush()));
    show(words.flush());
    std::cout << "\n" << std::flush;
    if (!made.has_stopped && std::ssize(made.tokens) < options_.most_tokens) {
      std::cerr << concat("(the context of ", session_.capacity(),
                          " tokens is full, and the answer ends here)\n");
    }
    // The last token was chosen and not fed.
    if (!made.tokens.empty()) fed_.resize(static_cast<size_t>(session_.length()));
    messages_.push_back({"assistant", answer});
    add(made);
    return true;
  }

  // All that was said; the system message stays.
  void forget() { messages_.erase(first_question(), messages_.end()); }

  // Tokens a second, beside what reading all weights once for each token would allow.
  void report() const {
    if (token_count_ == 0) return;
    int64_t bytes = 0;
    const bool is_tied = !model_.head.weight.defined();
    for_each_tensor(model_, [&](const std::string& path, const Tensor& tensor) {
      // Of a table that is no head a token reads one row.
      if (!tensor.defined() || (!is_tied && path == "embedding.weight")) return;
      bytes += static_cast<int64_t>(bytes_for(tensor.dtype(), tensor.numel().value()));
    });
    const double rate = static_cast<double>(token_count_) / token_seconds_;
    std::cerr << concat("\n", prompt_count_, " tokens read, ", written_count_, " written at ",
                        rounded(rate), " a second");
    if (const double speed = read_speed(device_named(options_.device)); speed > 0) {
      const double floor = speed / static_cast<double>(bytes);
      std::cerr << concat("; the floor is ", rounded(floor), " (", bytes / 1000000,
                          " MB of weights at ", rounded(speed / 1e9),
                          " GB/s): ", rounded(100 * rate / floor), " %");
    }
    std::cerr << "\n";
  }

 private:
  static double rounded(double x) { return std::round(x * 10) / 10; }

  int64_t capacity() const {
    const int64_t context = model_.config.context;
    if (options_.context == 0) return std::min(context, kUsualContext);
    RIDGE_CHECK(options_.context >= 2 && options_.context <= context, .code = ErrorCode::value,
                .op = "chat",
                .expected = concat("--context of 2 to ", context,
                                   " tokens, what the model was trained with"),
                .given = concat(options_.context));
    return options_.context;
  }

  std::vector<int64_t> encoded() const {
    return models::to_ids(text::encode_chat(tokenizer_, format_, messages_));
  }

  std::vector<text::ChatMessage>::iterator first_question() {
    return messages_.begin() + (options_.system.empty() ? 0 : 1);
  }

  // Behind what was said, or alone where both together are longer than the context.
  bool add_question(const std::string& question) {
    std::vector<text::ChatMessage> alone(messages_.begin(), first_question());
    alone.push_back({"user", question});
    messages_.push_back(alone.back());
    if (std::ssize(encoded()) <= session_.capacity()) return true;
    std::swap(messages_, alone);
    const auto tokens = std::ssize(encoded());
    if (tokens <= session_.capacity()) {
      std::cerr << concat("(the context of ", session_.capacity(),
                          " tokens is full: the chat starts anew with this question)\n");
      return true;
    }
    std::swap(messages_, alone);
    messages_.pop_back();
    std::cerr << concat("(a question of ", tokens, " tokens is longer than the context of ",
                        session_.capacity(), " tokens, and is left out)\n");
    return false;
  }

  // What the cache does not have yet. Where the text so far is encoded differently as a whole, all of it.
  std::vector<int64_t> new_tokens() {
    std::vector<int64_t> all = encoded();
    const bool goes_on =
        all.size() > fed_.size() && std::equal(fed_.begin(), fed_.end(), all.begin());
    if (!goes_on) {
      session_.clear();
      fed_.clear();
    }
    std::vector<int64_t> fresh(all.begin() + static_cast<int64_t>(fed_.size()), all.end());
    fed_ = std::move(all);
    return fresh;
  }
  void add(const models::Generated& made) {
    prompt_count_ += made.prompt_tokens;
    if (made.tokens.empty()) return;
    const auto count = static_cast<int64_t>(made.tokens.size());
    written_count_ += count;
    token_count_ += std::max<int64_t>(count - 2, 0);  // the first steps compile
    token_seconds_ += made.token_seconds;
  }

  ChatOptions options_;
  models::Llama model_;  // first: what kind of model it is not is said before anything else
  text::Tokenizer tokenizer_;
  text::ChatFormat format_;
  models::TextSession<models::Llama> session_;
  std::vector<text::ChatMessage> messages_;
  std::vector<int64_t> stop_;
  std::vector<int64_t> fed_;  // what the cache was made of
  int64_t prompt_count_ = 0, written_count_ = 0, token_count_ = 0;
  double token_seconds_ = 0;
};

// Asks all of them, also those behind one that is too long. False if there was one.
bool ask_prompts(Chat& chat, const std::vector<std::string>& prompts) {
  bool are_answered = true;
  for (const std::string& prompt : prompts) {
    if (!chat.ask(prompt)) are_answered = false;
    if (was_interrupted()) break;
  }
  return are_answered;
}

bool ask_lines(Chat& chat) {
  bool are_answered = true, has_hint = false;
  InputLines lines;
  std::cerr << "/clear forgets the chat, Ctrl-C stops an answer, Ctrl-D or /exit ends.\n";
  for (;;) {
    std::cerr << "> ";
    const std::optional<std::string> line = lines.next();
    if (was_interrupted() && !std::exchange(has_hint, true)) {
      std::cerr << "\n(Ctrl-D, or Ctrl-C again, ends)\n";
      forget_interrupt();
      continue;
    }
    if (!line || *line == "/exit") break;
    has_hint = false;
    if (*line == "/clear") {
      chat.forget();
    } else if (!line->empty() && !chat.ask(*line)) {
      are_answered = false;
    }
    forget_interrupt();
  }
  return are_answered;
}

void run_chat(const ChatOptions& options) {
  const Device device = as_usage([&] { return device_named(options.device); });
  device_runtime(device.kind);  // that there is none is said before anything is read
  Chat chat(options);
  note_interrupts();
  const bool is_typed = options.prompts.empty();
  const bool are_answered = is_typed ? ask_lines(chat) : ask_prompts(chat, options.prompts);
  chat.report();
  if (!is_typed && was_interrupted()) throw CLI::RuntimeError(interrupt_exit_code());
  if (!are_answered) throw CLI::RuntimeError(1);
}

}  // namespace

void add_chat(CLI::App& app) {
  CLI::App* command = app.add_subcommand("chat", "Talk with a language model of the Llama family");
  auto options = std::make_shared<ChatOptions>();
  command
      ->add_option("model", options->model, "A GGUF file, a folder with one, or with config.json")
      ->required();
  command->add_option(
      "--prompt,-p", options->prompts,
      "Ask this and end; several are turns of one chat. Without it, lines of stdin are asked, "
      "`/clear` forgets the chat and `/exit` ends");
  command->add_option("--lora", options->adapter, "An adapter that `ridge finetune` wrote");
  command->add_option("--system", options->system, "What the model is told first");
  command->add_option("--temperature", options->sampling.temperature, "0 for the likeliest token")
      ->check(real_number(0, 100))
      ->capture_default_str();
  command->add_option("--top-k", options->sampling.top_k, "Of the likeliest so many; 0 for all")
      ->check(whole_number(0, kMostChatTokens))
      ->capture_default_str();
  command
      ->add_option("--top-p", options->sampling.top_p,
                   "Of the likeliest with this probability together")
      ->check(real_number(1e-6, 1))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of the random choices")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  command->add_option("--tokens", options->most_tokens, "Most tokens of an answer")
      ->check(whole_number(1, kMostChatTokens))
      ->capture_default_str();
  command
      ->add_option(
          "--context", options->context,
          concat("Most tokens of the chat; 0 for what the model was trained with, at most ",
                 kUsualContext))
      ->check(whole_number(0, kMostChatTokens))
      ->capture_default_str();
  command->add_option("--stop", options->stop_words, "Words that end an answer")
      ->check([](const std::string& word) { return word.empty() ? "a word, given none" : ""; });
  command->add_option("--device", options->device, "cpu, cuda or cuda:<number>")
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  tools/get_model smollm2\n"
      "  ridge chat build/models/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf\n"
      "  ridge chat model.gguf -p 'What is the capital of France?' --temperature 0");
  command->callback([options] { run_chat(*options); });
}

}  // namespace ridge::command
