#include "ridge/text/pre_tokenizer.h"

#include "ridge/base/text.h"
#include "ridge/text/normalizer.h"

namespace ridge::text {
namespace {

using Span = Pieces::Span;

struct Part {
  Span span;
  bool is_match;
};

// Adds a part, as the behavior has it, to the spans of one piece; `previous` is the part before it.
class PartSink {
 public:
  PartSink(SplitBehavior behavior, std::vector<Span>& spans) : behavior_(behavior), spans_(spans) {}

  void start_piece() { has_previous_ = false; }

  void add(Part part) {
    const bool follows_match = has_previous_ && previous_.is_match;
    bool joins = false;
    switch (behavior_) {
      case SplitBehavior::isolated:
      case SplitBehavior::removed: break;
      case SplitBehavior::merged_with_previous:
        joins = has_previous_ && part.is_match && !follows_match;
        break;
      case SplitBehavior::merged_with_next: joins = follows_match && !part.is_match; break;
      case SplitBehavior::contiguous:
        joins = has_previous_ && part.is_match == follows_match;
        break;
    }
    const bool is_dropped = behavior_ == SplitBehavior::removed && part.is_match;
    if (joins) {
      spans_.back().end = part.span.end;
    } else if (!is_dropped) {
      spans_.push_back(part.span);
    }
    previous_ = part;
    has_previous_ = true;
  }

 private:
  SplitBehavior behavior_;
  std::vector<Span>& spans_;
  Part previous_{};
  bool has_previous_ = false;
};

// Replaces each piece by the parts that `cut(view, emit)` gives of it, as (begin, end, is_match).
template <class Cut>
void split_pieces(Pieces& pieces, SplitBehavior behavior, Cut cut) {
  std::vector<Span> spans;
  PartSink sink(behavior, spans);
  for (const Span piece : pieces.spans) {
    sink.start_piece();
    cut(pieces.view(piece), [&](size_t begin, size_t end, bool is_match) {
      if (begin < end) sink.add({{piece.begin + begin, piece.begin + end}, is_match});
    });
  }
  pieces.spans = std::move(spans);
}

PreTokenizer split_by_pattern(Pattern pattern, SplitBehavior behavior, bool inverts) {
  return [=](Pieces& pieces) {
    CodePoints points;
    split_pieces(pieces, behavior, [&](std::string_view view, auto emit) {
      points.assign(view);
      size_t unmatched = 0;
      for (size_t at = 0; at < points.size();) {
        const size_t end = pattern(points, at);
        if (end == at) {
          ++at;
          continue;
        }
        emit(points.starts[unmatched], points.starts[at], inverts);
        emit(points.starts[at], points.starts[end], !inverts);
        at = unmatched = end;
      }
      emit(points.starts[unmatched], points.starts[points.size()], inverts);
    });
  };
}

bool is_digit_of_byte_level(char c) {
  const auto byte = static_cast<unsigned char>(c);
  // Superscripts and fractions of Latin-1.
  return (byte >= '0' && byte <= '9') || byte == 0xB2 || byte == 0xB3 || byte == 0xB9 ||
         (byte >= 0xBC && byte <= 0xBE);
}

}  // namespace

PreTokenizer split_by(Pattern pattern, SplitBehavior behavior) {
  return split_by_pattern(pattern, behavior, false);
}

PreTokenizer split_between(Pattern pattern, SplitBehavior behavior) {
  return split_by_pattern(pattern, behavior, true);
}

PreTokenizer split_at_text(std::string text, SplitBehavior behavior) {
  return [=](Pieces& pieces) {
    split_pieces(pieces, behavior, [&](std::string_view view, auto emit) {
      size_t at = 0;
      for (size_t found = view.find(text); !text.empty() && found != std::string_view::npos;
           found = view.find(text, at)) {
        emit(at, found, false);
        emit(found, found + text.size(), true);
        at = found + text.size();
      }
      emit(at, view.size(), false);
    });
  };
}

PreTokenizer split_words_and_signs() {
  return [spaces = split_by(match_spaces, SplitBehavior::removed),
          words = split_by(match_words_or_signs, SplitBehavior::isolated)](Pieces& pieces) {
    spaces(pieces);
    words(pieces);
  };
}

PreTokenizer split_digits_of_byte_level(bool each) {
  const SplitBehavior behavior = each ? SplitBehavior::isolated : SplitBehavior::contiguous;
  return [=](Pieces& pieces) {
    split_pieces(pieces, behavior, [](std::string_view view, auto emit) {
      size_t unmatched = 0;
      for (size_t at = 0; at < view.size(); ++at) {
        if (!is_digit_of_byte_level(view[at])) continue;
        emit(unmatched, at, false);
        emit(at, at + 1, true);
        unmatched = at + 1;
      }
      emit(unmatched, view.size(), false);
    });
  };
}

PreTokenizer split_metaspace(std::string sign, PrependScheme prepend, bool splits) {
  const PreTokenizer split = split_at_text(sign, SplitBehavior::merged_with_next);
  return [=](Pieces& pieces) {
    Pieces changed(std::string(), pieces.is_first);
    changed.spans.clear();
    for (const Span span : pieces.spans) {
      const std::string replaced_text = replaced(pieces.view(span), " ", sign);
      const bool prepends = prepend == PrependScheme::always ||
                            (prepend == PrependScheme::first && pieces.is_first && span.begin == 0);
      const size_t begin = changed.text.size();
      if (prepends && !replaced_text.empty() && !replaced_text.starts_with(sign))
        changed.text += sign;
      changed.text += replaced_text;
      changed.spans.push_back({begin, changed.text.size()});
    }
    pieces = std::move(changed);
    if (splits) split(pieces);
  };
}

PreTokenizer prepend_space() {
  return [](Pieces& pieces) {
    Pieces changed(std::string(), pieces.is_first);
    changed.spans.clear();
    for (const Span span : pieces.spans) {
      const std::string_view view = pieces.view(span);
      const size_t begin = changed.text.size();
      if (!view.empty() && !view.starts_with(' ')) changed.text += ' ';
      changed.text += view;
      changed.spans.push_back({begin, changed.text.size()});
    }
    pieces = std::move(changed);
  };
}

}  // namespace ridge::text
