// Talks with a language model: each line of stdin is a turn of one chat, and the answer is streamed.
//
//   tools/get_model smollm2
//   echo 'What is the capital of France?' | ./chat build/models/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
#include <ridge/models/generate.h>
#include <ridge/models/llama.h>
#include <ridge/models/tokenizer.h>
#include <ridge/ridge.h>
#include <ridge/text/chat.h>

#include <iostream>
#include <stdexcept>
using namespace ridge;

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: chat MODEL");
  const text::Tokenizer tokenizer = models::open_tokenizer(argv[1]);
  const text::ChatFormat format =
      text::find_chat_format(tokenizer, models::architecture_of(argv[1]));
  models::TextSession session(models::open_llama(argv[1]));
  std::vector<text::ChatMessage> messages;
  for (std::string line; std::getline(std::cin, line);) {
    messages.push_back({"user", line});
    const auto ids = models::to_ids(text::encode_chat(tokenizer, format, messages));
    text::StreamDecoder stream(tokenizer);
    messages.push_back({"assistant", ""});
    const auto show = [&](int64_t id) {
      const std::string words = stream.push(static_cast<int32_t>(id));
      messages.back().text += words;
      std::cout << words << std::flush;
      return !tokenizer.is_end(static_cast<int32_t>(id));
    };
    session.clear();  // the chat so far is read again
    session.generate(
        ids, {.most_tokens = 256, .sampling = {.vocabulary = tokenizer.size()}, .on_token = show});
    std::cout << stream.flush() << "\n";
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
