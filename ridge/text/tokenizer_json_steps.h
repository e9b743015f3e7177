// The steps of a tokenizer.json beside its model: normalizers, pre-tokenizers, decoder, post-processor.
// A step that is not known is Error{unknown_name} with the known ones: without it the ids would be others.
#pragma once

#include <vector>

#include "ridge/base/json.h"
#include "ridge/text/tokenizer_parts.h"

namespace ridge::text {

struct JsonSteps {
  std::vector<Normalizer> normalizers;
  std::vector<PreTokenizer> pre_tokenizers;
  Decoder decoder;
  bool is_byte_level = false;  // bytes are tokens; the text is never written in the byte alphabet
};
JsonSteps read_steps(const Json& json);

// Fills prefix and suffix; the vocabulary is there already.
void add_post_processor(const Json& json, TokenizerParts& parts);

}  // namespace ridge::text
