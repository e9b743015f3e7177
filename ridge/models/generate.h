// Text, token by token: the prompt in blocks, then one compiled step for each token.
//
//   models::TextSession session(llama, {.capacity = 2048});
//   models::Generated g = session.generate(prompt_ids, {.most_tokens = 64, .stop = {2}});
//
// Two programs are compiled, each once: a block of prompt tokens (any number of them up to `block`) and one
// token. Both take the length of the cache as a symbol (Note [Growing cache] in nn/grouped_attention.h), so
// nothing is compiled again as the text grows. A session goes on where it ended: `generate` may be called again
// with what follows.
//
// A Model has config.context, config.vocabulary, make_cache(capacity) and operator()(ids, cache), as Llama and Gpt2 have.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "ridge/core/device_copy.h"
#include "ridge/driver/compile.h"
#include "ridge/nn/grouped_attention.h"
#include "ridge/ops/random.h"

namespace ridge::models {

struct Sampling {
  double temperature = 0;  // 0: the likeliest token, always
  int64_t top_k = 0;       // of the likeliest so many; 0: all
  double top_p = 1;        // of the likeliest that have this probability together
  int64_t vocabulary =
      0;  // of the first so many ids, Tokenizer::size(): a model may pad its logits; 0: all
};

// The next token by its logits. The same generator state gives the same token on every machine but for
// the last bits of the logits. Error{value} for options out of range or logits without a number among them.
int64_t sample(std::span<const float> logits, const Sampling& sampling, Generator& generator,
               Location where = Location::current());

struct GenerateOptions {
  int64_t most_tokens = 64;
  Sampling sampling{};
  uint64_t seed = 0;
  std::vector<int64_t> stop{};  // tokens that end the text; they are not part of it
  std::function<bool(int64_t token)> on_token = {};  // called with each token; false ends the text
};

struct Generated {
  std::vector<int64_t> tokens;
  int64_t prompt_tokens = 0;
  double prompt_seconds = 0;      // with compiling, in the first call
  double first_step_seconds = 0;  // for the second token: with compiling, in the first call
  double token_seconds = 0;       // for the tokens after that
  bool has_stopped = false;       // by a stop token or by on_token, not by their number
};

struct SessionOptions {
  int64_t capacity = 0;  // tokens of prompt and text; 0: the context of the model
  int64_t block = 64;    // most tokens of a prompt in one run
};

namespace detail {

// Logits of the last of these tokens.
using Feed = std::function<std::vector<float>(std::span<const int64_t> tokens)>;

Generated generate(const Feed& feed, std::span<const int64_t> prompt, int64_t length,
                   int64_t capacity, int64_t block, const GenerateOptions& options, Location where);
// The capacity of a session. Error{value} for one above the context, or a block below 2.
int64_t checked_capacity(const SessionOptions& options, int64_t context, Location where);
// Error{value} for a token that is not of the vocabulary.
void check_tokens(std::span<const int64_t> tokens, int64_t vocabulary, Location where);

}  // namespace detail

template <class Model>
class TextSession {
 public:
  explicit TextSession(Model model, const SessionOptions& options = {},
                       Location where = Location::current())
      : model_(std::move(model)),
        capacity_(detail::checked_capacity(options, model_.config.context, where)),
        block_(std::min(options.block, capacity_)),
        cache_(model_.make_cache(capacity_)),
        prompt_(compile(Step(), step_options("prompt", block_), where)),
        token_(compile(Step(), step_options("token", 1), where)) {}

  // Error{value} for an empty prompt, a token that is none, and a prompt that leaves no room in the context;
  // a text that reaches its end just ends.
  Generated generate(std::span<const int64_t> prompt, const GenerateOptions& options = {},
                     Location where = Location::current()) {
    detail::check_tokens(prompt, model_.config.vocabulary, where);  // all, before the first is fed
    const detail::Feed feed = [&](std::span<const int64_t> tokens) { return run(tokens, where); };
    return detail::generate(feed, prompt, length(), capacity_, block_, options, where);
  }
  // Feeds tokens (at most a block of them): logits of the last.
  std::vector<float> run(std::span<const int64_t> tokens, Location where = Location::current()) {
    detail::check_tokens(tokens, model_.config.vocabulary, where);
    const auto count = static_cast<int64_t>(tokens.size());
    const Tensor ids =
        to_device(Tensor::of(std::vector<int64_t>(tokens.begin(), tokens.end()), {1, count}, where),
                  cache_.layers.at(0).keys.device(), where);
    const Tensor logits = count == 1 ? token_(model_, cache_, ids) : prompt_(model_, cache_, ids);
    cache_.length = cache_.length + count;
    return logits.template to_vector<float>(where);
  }
  void clear() { cache_.length = 0; }
  int64_t length() const { return cache_.length.value(); }
  int64_t capacity() const { return capacity_; }
  // How many programs have been compiled for tokens and prompts: for tests.
  size_t token_programs() const { return token_.programs().size(); }
  size_t prompt_programs() const { return prompt_.programs().size(); }

 private:
  struct Step {
    Tensor operator()(const Model& model, nn::KvCache& cache, const Tensor& ids) const {
      return model(ids, cache);
    }
  };
  CompileOptions step_options(const char* name, int64_t tokens) const {
    CompileOptions options;
    options.name = name;
    options.argument_names = {"model", "cache", "ids"};
    options.dims = {{"cache.length", 0, Dim("length", 0, capacity_ - 1)}};
    if (tokens > 1) options.dims.push_back({"ids", 1, Dim("tokens", 2, tokens)});
    return options;
  }

  Model model_;
  int64_t capacity_;
  int64_t block_;
  nn::KvCache cache_;
  Compiled<Step> prompt_;
  Compiled<Step> token_;
};

}  // namespace ridge::models
