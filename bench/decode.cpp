// What bench/decode_peers.py compares with its peers: tokens a second of a GGUF file, and one token of GPT-2.
//
//   bench_decode [--device cuda] [MODEL.gguf]      one JSON object {name: number}; threads: RIDGE_THREADS
//
// The same work as the peers': a prompt of 256 tokens; 128 greedy tokens after a prompt of 32; medians of 3
// after one that compiles. GPT-2 124M in f32 with random weights: one token over a cache of 64; median of 30.
// Its first 64 greedy tokens are printed too: they are the same on every device.
#include <ridge/files/gguf.h>
#include <ridge/models/generate.h>
#include <ridge/models/gpt2.h>
#include <ridge/models/llama.h>
#include <ridge/ridge.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace ridge;

constexpr int64_t kPrompt = 256, kShortPrompt = 32, kAnswer = 128, kCached = 64;
constexpr size_t kBlock = models::SessionOptions().block;

double median_seconds(
    int rounds, const std::function<void()>& run, const std::function<void()>& prepare = [] {}) {
  std::vector<double> seconds;
  for (int i = 0; i <= rounds; ++i) {
    prepare();
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (i > 0) seconds.push_back(taken.count());  // the first compiles
  }
  std::ranges::nth_element(seconds, seconds.begin() + rounds / 2);
  return seconds[static_cast<size_t>(rounds / 2)];
}

std::vector<int64_t> some_tokens(int64_t count, int64_t vocabulary) {
  std::vector<int64_t> tokens;
  for (int64_t i = 0; i < count; ++i) tokens.push_back((1000 + 37 * i) % vocabulary);
  return tokens;
}

// Feeds `tokens` in blocks; logits of the last.
template <class Model>
std::vector<float> feed(models::TextSession<Model>& session, const std::vector<int64_t>& tokens) {
  std::vector<float> logits;
  for (size_t at = 0; at < tokens.size(); at += kBlock) {
    const size_t count = std::min(kBlock, tokens.size() - at);
    logits = session.run(std::span(tokens).subspan(at, count));
  }
  return logits;
}

void measure_llama(const char* path, Device device) {
  const models::Llama model = models::open_llama(path, {.device = device});
  models::TextSession session(model, {.capacity = 512});
  const int64_t vocabulary = model.config.vocabulary;
  const std::vector<int64_t> prompt = some_tokens(kPrompt, vocabulary);
  const std::vector<int64_t> start = some_tokens(kShortPrompt, vocabulary);
  const double prompt_seconds =
      median_seconds(3, [&] { feed(session, prompt); }, [&] { session.clear(); });
  std::vector<float> logits;
  Generator generator(0);
  const auto answer = [&] {
    for (int64_t i = 0; i < kAnswer; ++i) {
      const int64_t token = models::sample(logits, {}, generator);
      logits = session.run({&token, 1});
    }
  };
  const double answer_seconds = median_seconds(3, answer, [&] {
    session.clear();
    logits = feed(session, start);
  });
  std::printf(" \"ridge prompt tokens/s\": %.1f,\n", kPrompt / prompt_seconds);
  std::printf(" \"ridge decode tokens/s\": %.1f,\n", kAnswer / answer_seconds);
}

void measure_gpt2(Device device) {
  // Made where they are used: random numbers are the same on every device.
  models::Gpt2 model(models::Gpt2Config{});
  Generator generator(1, 0, device);
  for_each_tensor(model, [&](const std::string&, Tensor& tensor) {
    if (tensor.defined()) tensor = normal(tensor.shape(), generator, 0, 0.02);
  });
  models::TextSession session(model);
  const std::vector<int64_t> prompt = some_tokens(kCached, model.config.vocabulary);
  std::printf(" \"ridge GPT-2 124M greedy tokens\": [");
  const char* separator = "";
  for (const int64_t token : session.generate(prompt, {.most_tokens = 64}).tokens) {
    std::printf("%s%lld", std::exchange(separator, ", "), static_cast<long long>(token));
  }
  std::puts("],");
  session.clear();
  feed(session, prompt);
  const int64_t token = 1000;
  const double seconds = median_seconds(30, [&] { session.run({&token, 1}); });
  std::printf(" \"ridge GPT-2 124M f32 ms/token\": %.3f\n", 1e3 * seconds);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  Device device = kCpu;
  if (arguments.size() >= 2 && arguments[0] == "--device" && arguments[1] == "cuda") {
    device = {DeviceKind::cuda, 0};
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  if (arguments.size() > 1 || (arguments.size() == 1 && arguments[0].starts_with("-"))) {
    std::fputs("usage: bench_decode [--device cuda] [MODEL.gguf]\n", stderr);
    return 2;
  }
  try {
    std::puts("{");
    if (!arguments.empty()) measure_llama(arguments[0].c_str(), device);
    measure_gpt2(device);
    std::puts("}");
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
