#include "ridge/text/split_patterns.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::text {
namespace {

bool is_newline(const CodePoints& t, size_t i) { return t.is(i, '\r') || t.is(i, '\n'); }

// The end of the run of code points that `belongs`.
template <class Belongs>
size_t run_end(const CodePoints& t, size_t i, Belongs belongs) {
  while (i < t.size() && belongs(i)) ++i;
  return i;
}
size_t run_of(const CodePoints& t, size_t i, unsigned classes) {
  return run_end(t, i, [&](size_t at) { return t.has(at, classes); });
}
size_t run_without(const CodePoints& t, size_t i, unsigned classes) {
  return run_end(t, i, [&](size_t at) { return t.lacks(at, classes); });
}
// At most so many of them, so that a long run is not read again for each of its parts.
size_t run_of_at_most(const CodePoints& t, size_t i, unsigned classes, size_t most) {
  const size_t limit = i + most;
  return run_end(t, i, [&](size_t at) { return at < limit && t.has(at, classes); });
}
size_t newlines_end(const CodePoints& t, size_t i) {
  return run_end(t, i, [&](size_t at) { return is_newline(t, at); });
}

// 's 't 'm 'd 're 've 'll, with the letters of either case if asked.
template <bool kAnyCase>
size_t match_contraction(const CodePoints& t, size_t i) {
  if (!t.is(i, '\'')) return i;
  const auto letter = [&](size_t at) -> char32_t {
    const char32_t c = at < t.size() ? t.points[at] : 0;
    if (!kAnyCase) return c;
    // U+017F, the long s, is an s to whom case does not matter.
    return c == 0x17F ? U's' : c >= 'A' && c <= 'Z' ? c + 32 : c;
  };
  const char32_t a = letter(i + 1), b = letter(i + 2);
  if (a == 's' || a == 't' || a == 'm' || a == 'd') return i + 2;
  if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l')) return i + 3;
  return i;
}

// \s+(?!\S)|\s+: all of the run at the end of the text; else all but the last, which the next word takes.
size_t match_trailing_spaces(const CodePoints& t, size_t i) {
  const size_t end = run_of(t, i, kSpace);
  return end == t.size() || end <= i + 1 ? end : end - 1;
}

// \s*[\r\n]+: up to the last line end of a run of spaces.
size_t match_to_last_newline(const CodePoints& t, size_t i) {
  size_t end = run_of(t, i, kSpace);
  while (end > i && !is_newline(t, end - 1)) --end;
  return end;
}

// `[^\r\n\p{L}\p{N}]?` in front of a run of `classes`, which must not be empty.
size_t match_led_run(const CodePoints& t, size_t i, unsigned classes) {
  const bool leads = t.lacks(i, kLetter | kNumber) && !is_newline(t, i);
  if (leads && t.has(i + 1, classes)) return run_of(t, i + 1, classes);
  return run_of(t, i, classes);
}

// ` ?[^...]+[\r\n]*`, where `excluded` are the classes in the brackets; `/` may count as a line end.
size_t match_signs(const CodePoints& t, size_t i, unsigned excluded, bool takes_slash) {
  const size_t start = i + (t.is(i, ' ') ? 1 : 0);
  const size_t end = run_without(t, start, excluded);
  if (end == start) return i;
  return run_end(t, end,
                 [&](size_t at) { return is_newline(t, at) || (takes_slash && t.is(at, '/')); });
}

size_t match_spaces_with_newlines(const CodePoints& t, size_t i) {
  const size_t end = match_to_last_newline(t, i);
  return end > i ? end : match_trailing_spaces(t, i);
}

// (?i:'s|'t|...)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,k}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
template <size_t kDigits, unsigned kMarks = 0, bool kContracts = true>
size_t match_llama3(const CodePoints& t, size_t i) {
  if constexpr (kContracts) {
    if (const size_t end = match_contraction<true>(t, i); end > i) return end;
  }
  if (const size_t end = match_led_run(t, i, kLetter | kMarks); end > i) return end;
  if (t.has(i, kNumber)) return run_of_at_most(t, i, kNumber, kDigits);
  const unsigned excluded = kSpace | kLetter | kNumber | kMarks;
  if (const size_t end = match_signs(t, i, excluded, false); end > i) return end;
  return match_spaces_with_newlines(t, i);
}

// Words of GPT-4o: capitals then small letters, where letters without case are both.
struct Cased {
  const CodePoints& t;
  bool is_upper(size_t i) const { return t.has(i, kLetter | kMark) && !t.has(i, kLower); }
  bool is_lower(size_t i) const { return t.has(i, kLetter | kMark) && !t.has(i, kUpper); }
  size_t uppers(size_t i) const {
    return run_end(t, i, [&](size_t at) { return is_upper(at); });
  }
  size_t lowers(size_t i) const {
    return run_end(t, i, [&](size_t at) { return is_lower(at); });
  }

  // U*L+: if no small letter follows the capitals, the last of them that has no case is the small one.
  size_t ends_lower(size_t i) const {
    size_t end = uppers(i);
    if (is_lower(end)) return lowers(end);
    while (end > i && !is_lower(end - 1)) --end;
    return end;
  }
  // U+L*
  size_t starts_upper(size_t i) const {
    const size_t end = uppers(i);
    return end > i ? lowers(end) : i;
  }
};

template <size_t kDigits, bool kContracts>
size_t match_gpt4o(const CodePoints& t, size_t i) {
  const Cased cased{t};
  const bool leads = t.lacks(i, kLetter | kNumber) && !is_newline(t, i);
  size_t end = i;
  if (leads && cased.ends_lower(i + 1) > i + 1) {
    end = cased.ends_lower(i + 1);
  } else if (cased.ends_lower(i) > i) {
    end = cased.ends_lower(i);
  } else if (leads && cased.starts_upper(i + 1) > i + 1) {
    end = cased.starts_upper(i + 1);
  } else {
    end = cased.starts_upper(i);
  }
  if (end > i) return kContracts ? match_contraction<true>(t, end) : end;
  if (t.has(i, kNumber)) return run_of_at_most(t, i, kNumber, kDigits);
  if (end = match_signs(t, i, kSpace | kLetter | kNumber, true); end > i) return end;
  return match_spaces_with_newlines(t, i);
}

bool is_ascii_letter(const CodePoints& t, size_t i) {
  if (i >= t.size()) return false;
  const char32_t c = t.points[i];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// [!-/:-@\[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t match_deepseek_v3(const CodePoints& t, size_t i) {
  if (i < t.size() && is_ascii_punctuation(t.points[i]) && is_ascii_letter(t, i + 1)) {
    return run_end(t, i + 1, [&](size_t at) { return is_ascii_letter(t, at); });
  }
  const bool leads = t.lacks(i, kLetter | kPunctuation | kSymbol) && !is_newline(t, i);
  if (leads && t.has(i + 1, kLetter | kMark)) return run_of(t, i + 1, kLetter | kMark);
  if (t.has(i, kLetter | kMark)) return run_of(t, i, kLetter | kMark);
  const size_t start = i + (t.is(i, ' ') ? 1 : 0);
  const size_t end = run_of(t, start, kPunctuation | kSymbol);
  if (end > start) return newlines_end(t, end);
  return match_spaces_with_newlines(t, i);
}

struct Range {
  char32_t first, last;
};
bool is_within(std::span<const Range> ranges, char32_t c) {
  return std::ranges::any_of(ranges, [&](Range r) { return c >= r.first && c <= r.last; });
}

// The letters with case of an old edition of Unicode, as DeepSeek's first tokenizer lists them.
constexpr Range kDeepseekLetters[] = {
    {0x41, 0x5A},       {0x61, 0x7A},       {0xB5, 0xB5},       {0xC0, 0xD6},
    {0xD8, 0xF6},       {0xF8, 0x1BA},      {0x1BC, 0x1BF},     {0x1C4, 0x293},
    {0x295, 0x2AF},     {0x370, 0x373},     {0x376, 0x376},     {0x377, 0x377},
    {0x37B, 0x37D},     {0x37F, 0x37F},     {0x386, 0x386},     {0x388, 0x38A},
    {0x38C, 0x38C},     {0x38E, 0x3A1},     {0x3A3, 0x3F5},     {0x3F7, 0x481},
    {0x48A, 0x52F},     {0x531, 0x556},     {0x10A0, 0x10C5},   {0x13A0, 0x13F5},
    {0x13F8, 0x13FD},   {0x1C90, 0x1CBA},   {0x1CBD, 0x1CBF},   {0x1D00, 0x1D2B},
    {0x1D6B, 0x1D77},   {0x1D79, 0x1D9A},   {0x1E00, 0x1F15},   {0x1F18, 0x1F1D},
    {0x1F20, 0x1F45},   {0x1F48, 0x1F4D},   {0x1F50, 0x1F57},   {0x1F59, 0x1F59},
    {0x1F5B, 0x1F5B},   {0x1F5D, 0x1F5D},   {0x1F5F, 0x1F7D},   {0x1F80, 0x1FB4},
    {0x1FB6, 0x1FBC},   {0x1FBE, 0x1FBE},   {0x1FC2, 0x1FC4},   {0x1FC6, 0x1FCC},
    {0x1FD0, 0x1FD3},   {0x1FD6, 0x1FDB},   {0x1FE0, 0x1FEC},   {0x1FF2, 0x1FF4},
    {0x1FF6, 0x1FFC},   {0x2102, 0x2102},   {0x2107, 0x2107},   {0x210A, 0x2113},
    {0x2115, 0x2115},   {0x2119, 0x211D},   {0x2124, 0x2124},   {0x2126, 0x2126},
    {0x2128, 0x2128},   {0x212A, 0x212D},   {0x212F, 0x2134},   {0x2139, 0x2139},
    {0x213C, 0x213F},   {0x2145, 0x2149},   {0x214E, 0x214E},   {0x2183, 0x2183},
    {0x2184, 0x2184},   {0x2C00, 0x2C7B},   {0x2C7E, 0x2CE4},   {0x2CEB, 0x2CEE},
    {0x2CF2, 0x2CF2},   {0x2CF3, 0x2CF3},   {0xA640, 0xA66D},   {0xA680, 0xA69B},
    {0xA722, 0xA76F},   {0xA771, 0xA787},   {0xA78B, 0xA78E},   {0xAB70, 0xABBF},
    {0xFB00, 0xFB06},   {0xFB13, 0xFB17},   {0xFF21, 0xFF3A},   {0xFF41, 0xFF5A},
    {0x10400, 0x1044F}, {0x104B0, 0x104D3}, {0x104D8, 0x104FB}, {0x10C80, 0x10CB2},
    {0x10CC0, 0x10CF2}, {0x118A0, 0x118DF}, {0x1E900, 0x1E943}};
constexpr Range kDeepseekSigns[] = {{'!', '/'},       {':', '~'},       {0xFF01, 0xFF0F},
                                    {0xFF1A, 0xFF5E}, {0x2018, 0x201F}, {0x3000, 0x3002}};
constexpr Range kChineseKorean[] = {{0x4E00, 0x9FA5}, {0x800, 0x4E00}, {0xAC00, 0xD7FF}};
constexpr Range kChineseKana[] = {{0x4E00, 0x9FA5}, {0x3040, 0x309F}, {0x30A0, 0x30FF}};

template <const auto& kRanges>
size_t match_ranges(const CodePoints& t, size_t i) {
  return run_end(t, i, [&](size_t at) { return is_within(kRanges, t.points[at]); });
}
// `\s?` in front of a run, which must not be empty.
template <Pattern kRun>
size_t match_after_space(const CodePoints& t, size_t i) {
  if (t.has(i, kSpace) && kRun(t, i + 1) > i + 1) return kRun(t, i + 1);
  return kRun(t, i);
}

template <unsigned kClasses>
size_t match_class(const CodePoints& t, size_t i) {
  return run_of(t, i, kClasses);
}

size_t match_newline(const CodePoints& t, size_t i) { return i + (is_newline(t, i) ? 1 : 0); }
size_t match_to_three_numbers(const CodePoints& t, size_t i) {
  return run_of_at_most(t, i, kNumber, 3);
}
size_t match_last_spaces(const CodePoints& t, size_t i) {
  // Behind another space a match would have started there.
  if (i > 0 && t.has(i - 1, kSpace)) return i;
  const size_t end = run_of(t, i, kSpace);
  return end == t.size() ? end : i;
}
size_t match_line_or_newlines(const CodePoints& t, size_t i) {
  const bool is_end = t.is(i, '\n');
  return run_end(t, i, [&](size_t at) { return t.is(at, '\n') == is_end; });
}
size_t match_two_blanks(const CodePoints& t, size_t i) {
  const size_t end = run_end(t, i, [&](size_t at) { return t.is(at, ' '); });
  return end - i >= 2 ? end : i;
}

// ` ?[^(\s|[.,!?...])]+` of BLOOM.
size_t match_bloom(const CodePoints& t, size_t i) {
  constexpr std::u32string_view kExcluded = U"(|.,!?\u2026\u3002\uFF0C\u3001\u0964\u06D4\u060C)";
  const size_t start = i + (t.is(i, ' ') ? 1 : 0);
  const size_t end = run_end(t, start, [&](size_t at) {
    return t.lacks(at, kSpace) && kExcluded.find(t.points[at]) == std::u32string_view::npos;
  });
  return end > start ? end : i;
}

}  // namespace

size_t match_gpt2(const CodePoints& t, size_t i) {
  if (const size_t end = match_contraction<false>(t, i); end > i) return end;
  const size_t start = i + (t.is(i, ' ') ? 1 : 0);
  if (t.has(start, kLetter)) return run_of(t, start, kLetter);
  if (t.has(start, kNumber)) return run_of(t, start, kNumber);
  const size_t end = run_without(t, start, kSpace | kLetter | kNumber);
  return end > start ? end : match_trailing_spaces(t, i);
}

size_t match_number(const CodePoints& t, size_t i) { return i + (t.has(i, kNumber) ? 1 : 0); }
size_t match_numbers(const CodePoints& t, size_t i) { return run_of(t, i, kNumber); }

size_t match_three_digits(const CodePoints& t, size_t i) {
  if (i + 3 > t.size()) return i;
  const bool are_digits = std::all_of(t.points.begin() + static_cast<ptrdiff_t>(i),
                                      t.points.begin() + static_cast<ptrdiff_t>(i + 3),
                                      [](char32_t c) { return c >= '0' && c <= '9'; });
  return are_digits ? i + 3 : i;
}

size_t match_punctuation(const CodePoints& t, size_t i) {
  const bool matches =
      t.has(i, kPunctuation) || (i < t.size() && is_ascii_punctuation(t.points[i]));
  return i + (matches ? 1 : 0);
}
size_t match_punctuation_run(const CodePoints& t, size_t i) {
  return run_end(t, i, [&](size_t at) { return match_punctuation(t, at) > at; });
}

size_t match_space(const CodePoints& t, size_t i) { return i + (t.has(i, kSpace) ? 1 : 0); }
size_t match_spaces(const CodePoints& t, size_t i) { return run_of(t, i, kSpace); }

size_t match_words_or_signs(const CodePoints& t, size_t i) {
  return t.has(i, kWord) ? run_of(t, i, kWord) : run_without(t, i, kWord | kSpace);
}

namespace {

struct KnownRegex {
  std::string_view regex;
  Pattern pattern;
};

constexpr KnownRegex kRegexes[] = {
    // GPT-2, and the same with the contractions written shorter.
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", match_gpt2},
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S))", match_gpt2},
    {R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", match_gpt2},
    // Llama 3, GPT-4; Qwen2; Qwen3.5.
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_llama3<3>},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
     match_llama3<3>},
    {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
     match_llama3<3>},
    {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
     match_llama3<1>},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_llama3<1>},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_llama3<1, kMark>},
    // GPT-4o, Mistral's Tekken.
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_gpt4o<3, true>},
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_gpt4o<1, false>},
    // DeepSeek V3, the coder, the first one.
    {R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     match_deepseek_v3},
    {"[一-龥぀-ゟ゠-ヿ]+", match_ranges<kChineseKana>},
    {"[一-龥ࠀ-一가-퟿]+", match_ranges<kChineseKorean>},
    {R"(\s?\p{L}+)", match_after_space<match_class<kLetter>>},
    {R"(\s?\p{P}+)", match_after_space<match_class<kPunctuation>>},
    {"\\s?[!-/:-~！-／：-～‘-‟　-。]+", match_after_space<match_ranges<kDeepseekSigns>>},
    {"\\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-"
     "ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-"
     "ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+",
     match_after_space<match_ranges<kDeepseekLetters>>},
    {R"(\s+$)", match_last_spaces},
    {R"([\r\n])", match_newline},
    // BLOOM.
    {" ?[^(\\s|[.,!?…。，、।۔،])]+", match_bloom},
    {" ?[^(\\s|.,!?…。，、।۔،)]+", match_bloom},
    {R"(\p{N})", match_number},
    {R"(\p{N}+)", match_numbers},
    {R"(\p{N}{1,3})", match_to_three_numbers},
    {"[0-9][0-9][0-9]", match_three_digits},
    {"[0-9]{3}", match_three_digits},
    {R"(\s+)", match_spaces},
    {R"(\s)", match_space},
    {" {2,}", match_two_blanks},
    {R"(\w+|[^\w\s]+)", match_words_or_signs},
    {R"([^\n]+|[\n]+)", match_line_or_newlines},
};

std::vector<NamedSplit> make_named_splits() {
  std::vector<NamedSplit> all;
  const auto add = [&](NamedSplit like, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      all.push_back(like);
      all.back().name = name;
    }
  };
  const Pattern qwen2 = match_llama3<1>, llama3 = match_llama3<3>;
  add({.patterns = {match_punctuation_run, match_gpt2, match_numbers, match_three_digits}},
      {"default"});
  add({.patterns = {match_gpt2}},
      {"gpt-2", "mpt", "olmo", "jais", "trillion", "granite-docling", "phi-2", "jina-es", "jina-de",
       "jina-v2-es", "jina-v2-de", "gigachat", "a.x-4.0", "mellum", "modern-bert", "exaone4",
       "jina-v1-en", "jina-v2-code", "roberta-bpe"});
  add({.patterns = {llama3}, .takes_whole_words = true, .adds_bos = true},
      {"llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
       "jina-v5-nano"});
  add({.patterns = {llama3}}, {"dbrx", "smaug-bpe", "chatglm-bpe"});
  add({.patterns = {llama3}, .takes_whole_words = true}, {"glm4", "glm5"});
  add({.patterns = {qwen2}},
      {"qwen2", "stablelm2", "hunyuan", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez", "grok-2",
       "solar-open", "bailingmoe", "bailingmoe2", "llada-moe"});
  add({.patterns = {match_llama3<1, kMark>}}, {"qwen35"});
  add({.patterns = {match_llama3<1, 0, false>}}, {"ufakzeka"});
  add({.patterns = {match_number, match_gpt2}}, {"starcoder", "refact", "command-r", "smollm",
                                                 "codeshell", "exaone", "minerva-7b", "mellum2"});
  add({.patterns = {match_punctuation_run, match_gpt2, match_three_digits}}, {"falcon"});
  add({.patterns = {match_newline, match_after_space<match_ranges<kDeepseekLetters>>,
                    match_after_space<match_ranges<kDeepseekSigns>>, match_last_spaces,
                    match_ranges<kChineseKorean>, match_numbers}},
      {"deepseek-llm"});
  add({.patterns = {match_newline, match_after_space<match_class<kLetter>>,
                    match_after_space<match_class<kPunctuation>>, match_ranges<kChineseKorean>,
                    match_number}},
      {"deepseek-coder"});
  add({.patterns = {match_to_three_numbers, match_ranges<kChineseKana>, match_deepseek_v3}},
      {"deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"});
  add({.patterns = {match_bloom}}, {"bloom", "poro-chat", "gpt3-finnish"});
  add({.patterns = {match_bloom, match_number}}, {"viking"});
  add({.patterns = {match_gpt4o<1, false>}, .takes_whole_words = true, .adds_bos = true},
      {"tekken"});
  add({.patterns = {match_gpt4o<3, true>}},
      {"gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"});
  add({.patterns = {match_line_or_newlines}, .is_byte_level = false}, {"gemma4", "sarvam-moe"});
  return all;
}

}  // namespace

Pattern find_pattern(std::string_view regex) {
  // A file may hold the characters themselves where another has escapes for them.
  std::string written;
  for (const char c : regex) {
    if (c == '\r' || c == '\n') {
      written += c == '\r' ? "\\r" : "\\n";
    } else {
      written += c;
    }
  }
  const auto found = std::ranges::find(kRegexes, written, &KnownRegex::regex);
  RIDGE_CHECK(found != std::end(kRegexes), .code = ErrorCode::unknown_name, .op = "tokenizer",
              .expected = concat("one of these expressions to split by: ",
                                 join(kRegexes, "   ", &KnownRegex::regex)),
              .given = std::string(regex));
  return found->pattern;
}

std::span<const NamedSplit> named_splits() {
  static const std::vector<NamedSplit> all = make_named_splits();
  return all;
}

const NamedSplit& find_split(std::string_view name) {
  const auto all = named_splits();
  const auto found = std::ranges::find(all, name, &NamedSplit::name);
  RIDGE_CHECK(found != all.end(), .code = ErrorCode::unknown_name, .op = "tokenizer",
              .expected = concat("a pre-tokenizer among ", join(all, ", ", &NamedSplit::name)),
              .given = concat("`", name, "`"));
  return *found;
}

}  // namespace ridge::text
