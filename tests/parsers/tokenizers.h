// Tokenizers among what reads text of others: tokenizer.json, and texts to encode.
#pragma once

#include <string_view>

namespace ridge::parsers {

// A tokenizer.json: accepted, and then a text is encoded and decoded, or refused.
bool read_tokenizer(std::string_view text);

// Any bytes: tokenizers with tokens for bytes give them back, as a whole and as a stream; others do not fail.
bool read_encoded(std::string_view text);

}  // namespace ridge::parsers
