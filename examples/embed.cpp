// Makes a vector of each text and prints how alike the texts are: the cosines, a row for each text.
//
//   tools/get_model minilm
//   ./embed build/models/minilm 'a cat on a mat' 'a kitten on a rug' 'a bank in a city'
#include <ridge/models/bert.h>
#include <ridge/models/tokenizer.h>
#include <ridge/ridge.h>

#include <cstdio>
#include <stdexcept>
using namespace ridge;

int main(int argc, char** argv) try {
  if (argc < 3) throw std::invalid_argument("usage: embed MODEL TEXT...");
  const text::Tokenizer tokenizer = models::open_tokenizer(argv[1]);
  const models::Bert model = models::open_bert(argv[1]);
  auto embed = compile([](const models::Bert& bert, const Tensor& ids) { return bert.embed(ids); });
  std::vector<Tensor> vectors;
  for (int i = 2; i < argc; ++i) {
    const auto ids = models::to_ids(tokenizer.encode(argv[i], {.add_special = true}));
    vectors.push_back(embed(model, Tensor::of(ids, {1, std::ssize(ids)})));
  }
  const Tensor all = cat(vectors);  // [texts, width], each of length 1
  const auto cosines = matmul(all, transpose(all, 0, 1)).to_vector<float>();
  for (size_t i = 0; i < cosines.size(); ++i) {
    std::printf("%.4f%s", cosines[i], (i + 1) % vectors.size() == 0 ? "\n" : " ");
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
