// `ridge embed`: a vector for each text, by a model of the BERT family.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "ridge/base/text.h"
#include "ridge/models/bert.h"
#include "ridge/models/tokenizer.h"
#include "ridge/ridge.h"
#include "usage.h"

namespace ridge::command {
namespace {

struct EmbedOptions {
  std::string model;
  std::vector<std::string> texts;
  int64_t batch = 32;
  std::string device = "cpu";
  bool shows_cosines = false;
  bool as_json = false;
  bool truncates = false;
};

// The tokens of a text that the model takes. What ends every text, such as [SEP], stays at the end of one
// that is cut.
std::vector<int32_t> tokens_of(const EmbedOptions& options, const text::Tokenizer& tokenizer,
                               const std::string& text, size_t number, size_t context) {
  std::vector<int32_t> tokens = tokenizer.encode(text, {.add_special = true});
  if (tokens.size() <= context) return tokens;
  RIDGE_CHECK(options.truncates, .code = ErrorCode::value, .op = "embed",
              .expected = concat("texts of at most ", context, " tokens"),
              .given = concat(tokens.size(), " in text ", number),
              .hint = "--truncate takes the first of them");
  const std::vector<int32_t> around = tokenizer.encode("", {.add_special = true});
  const auto differ = std::mismatch(around.rbegin(), around.rend(), tokens.rbegin()).first;
  const auto last = std::min<int64_t>(differ - around.rbegin(), static_cast<int64_t>(context));
  std::copy(tokens.end() - last, tokens.end(),
            tokens.begin() + static_cast<int64_t>(context) - last);
  tokens.resize(context);
  return tokens;
}

// Texts of one batch, filled up to the longest, and which tokens are there.
struct TextBatch {
  Tensor ids, mask;
};

TextBatch text_batch(const std::vector<std::vector<int32_t>>& tokens, int64_t padding) {
  size_t longest = 1;
  for (const auto& text : tokens) longest = std::max(longest, text.size());
  std::vector<int64_t> ids;
  std::vector<bool> mask;
  for (const auto& text : tokens) {
    for (size_t i = 0; i < longest; ++i) {
      ids.push_back(i < text.size() ? text[i] : padding);
      mask.push_back(i < text.size());
    }
  }
  const Shape shape{static_cast<int64_t>(tokens.size()), static_cast<int64_t>(longest)};
  return {Tensor::of(ids, shape), Tensor::of(mask, shape)};
}

std::vector<std::vector<float>> embed(const EmbedOptions& options,
                                      const std::vector<std::string>& texts) {
  const Device device = device_named(options.device);
  const models::Bert model = models::open_bert(options.model, {.device = device});
  const text::Tokenizer tokenizer = models::open_tokenizer(options.model);
  const auto context = static_cast<size_t>(model.positions.weight.size(0).value());
  auto run = compile([](const models::Bert& bert, const Tensor& ids,
                        const Tensor& mask) { return bert.embed(ids, mask); },
                     {.name = "embed"});
  std::vector<std::vector<float>> vectors;
  for (size_t start = 0; start < texts.size(); start += static_cast<size_t>(options.batch)) {
    const size_t end = std::min(texts.size(), start + static_cast<size_t>(options.batch));
    std::vector<std::vector<int32_t>> tokens;
    for (size_t i = start; i < end; ++i) {
      tokens.push_back(tokens_of(options, tokenizer, texts[i], i + 1, context));
    }
    const TextBatch batch = text_batch(tokens, tokenizer.padding().value_or(0));
    const Tensor made =
        to_device(run(model, to_device(batch.ids, device), to_device(batch.mask, device)), kCpu);
    const std::vector<float> flat = made.to_vector<float>();
    const size_t width = flat.size() / tokens.size();
    for (size_t i = 0; i < tokens.size(); ++i) {
      const auto row = flat.begin() + static_cast<int64_t>(i * width);
      vectors.emplace_back(row, row + static_cast<int64_t>(width));
    }
  }
  return vectors;
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;  // both have length 1
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// Of one text with all, in their order.
std::vector<double> cosines_of(const std::vector<std::vector<float>>& vectors, size_t text) {
  std::vector<double> cosines;
  for (const auto& other : vectors) cosines.push_back(cosine(vectors[text], other));
  return cosines;
}

void print_json(const EmbedOptions& options, const std::vector<std::string>& texts,
                const std::vector<std::vector<float>>& vectors) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (size_t i = 0; i < texts.size(); ++i) {
    nlohmann::ordered_json one;
    one["text"] = texts[i];
    if (options.shows_cosines) {
      one["cosines"] = cosines_of(vectors, i);
    } else {
      one["vector"] = vectors[i];
    }
    list.push_back(std::move(one));
  }
  // JSON is UTF-8, and a text may be any bytes.
  std::cout << list.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
}

void print_rows(const EmbedOptions& options, const std::vector<std::vector<float>>& vectors) {
  for (size_t i = 0; i < vectors.size(); ++i) {
    const std::vector<double> row = options.shows_cosines
                                        ? cosines_of(vectors, i)
                                        : std::vector<double>(vectors[i].begin(), vectors[i].end());
    for (size_t k = 0; k < row.size(); ++k) {
      const char* before = k == 0 ? "" : " ";
      if (options.shows_cosines) {
        std::printf("%s%.4f", before, row[k]);
      } else {
        std::printf("%s%.7g", before, row[k]);
      }
    }
    std::printf("\n");
  }
}

void run_embed(const EmbedOptions& options) {
  const Device device = as_usage([&] { return device_named(options.device); });
  device_runtime(device.kind);  // that there is none is said before anything is read
  std::vector<std::string> texts = options.texts;
  if (texts.empty()) {
    for (std::string line; std::getline(std::cin, line);) texts.push_back(line);
  }
  const auto vectors = embed(options, texts);
  if (options.as_json) {
    print_json(options, texts, vectors);
  } else {
    print_rows(options, vectors);
  }
}

}  // namespace

void add_embed(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("embed", "Make a vector of each text, by a model of the BERT family");
  auto options = std::make_shared<EmbedOptions>();
  command
      ->add_option("model", options->model, "A folder with config.json, weights and tokenizer.json")
      ->required();
  command->add_option("text", options->texts, "The texts; without any, lines of stdin");
  command->add_option("--batch", options->batch, "Texts in one run")
      ->check(whole_number(1, 4096))
      ->capture_default_str();
  command->add_option("--device", options->device, "cpu, cuda or cuda:<number>")
      ->capture_default_str();
  command->add_flag("--cosines", options->shows_cosines,
                    "Print how alike the texts are instead, a row each");
  command->add_flag("--json", options->as_json,
                    "Print a list of objects, a text and its vector or cosines each");
  command->add_flag("--truncate", options->truncates,
                    "Take the first tokens of a text that is too long for the model");
  command->footer(
      "Examples:\n"
      "  tools/get_model minilm\n"
      "  ridge embed build/models/minilm 'a cat sits on the mat' 'a kitten rests on a rug' "
      "--cosines");
  command->callback([options] { run_embed(*options); });
}

}  // namespace ridge::command
