// Trains a small change of a language model (LoRA) on a text and saves it, for `ridge chat MODEL --lora FILE`.
//
//   tools/get_model smollm2
//   ./finetune build/models/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf notes.txt adapter.safetensors 50
#include <ridge/base/files.h>
#include <ridge/files/save.h>
#include <ridge/models/llama.h>
#include <ridge/models/tokenizer.h>
#include <ridge/ridge.h>

#include <cstdio>
#include <stdexcept>
using namespace ridge;
using Adapted = nn::Lora<models::Llama>;

int main(int argc, char** argv) try {
  if (argc != 5) throw std::invalid_argument("usage: finetune MODEL TEXT ADAPTER STEPS");
  const auto ids = models::to_ids(models::open_tokenizer(argv[1]).encode(read_file(argv[2])));
  const Tensor text = Tensor::of(ids, {std::ssize(ids)});
  Generator generator(0);
  Adapted adapted(models::open_llama(argv[1]), {.rank = 8}, generator);
  nn::AdamW optimizer(adapted, {.learning_rate = 1e-3});

  auto step =
      compile([](Adapted& now, nn::AdamW<Adapted>& adamw, const Tensor& in, const Tensor& out) {
        const auto loss = [&](const Adapted& m) {
          return cross_entropy(flatten(m.model()(in), 0, 1), out);
        };
        const auto [value, gradient] = value_and_grad(loss)(now);
        adamw.update(now, gradient);
        return value;
      });
  constexpr int64_t kWindow = 64;  // tokens of a step
  const int64_t windows = (std::ssize(ids) - 1) / kWindow;
  if (windows < 1) throw std::invalid_argument("TEXT has fewer than 65 tokens");
  for (int i = 0; i < std::stoi(argv[4]); ++i) {
    const int64_t at = i % windows * kWindow;
    const Tensor in = reshape(slice(text, 0, at, at + kWindow), {1, kWindow});
    const Tensor out = slice(text, 0, at + 1, at + kWindow + 1);
    std::printf("step %d  loss %.3f\n", i + 1, step(adapted, optimizer, in, out).item<double>());
  }
  files::save(argv[3], adapted.adapters);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
