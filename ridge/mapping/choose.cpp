#include "ridge/mapping/choose.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/mapping/tuning.h"

namespace ridge::mapping {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

double microseconds(const PricedMapping& priced) { return priced.price.price.predicted * 1e6; }

// By which candidates are ordered.
double rank(const PricedMapping& priced) {
  const bool is_split = std::get<Product>(priced.mapping.family).split > 1;
  return microseconds(priced) * (is_split ? tuning::kSplitMargin : 1);
}

PricedMapping priced(const Mapping& mapping, const Work& work, const cost::Sheet& sheet,
                     const cost::Context& context) {
  return {mapping, cost::price(demand_of(mapping, work, sheet), sheet, context)};
}

// Names of kernels end with their hash.
bool has_hash(std::string_view kernel, std::string_view hash) {
  if (hash.empty() || !kernel.ends_with(hash)) return false;
  const size_t before = kernel.size() - hash.size();
  return before == 0 || kernel[before - 1] == '_';
}

// The user's mapping takes the first place, whatever it costs.
void force(Choice& choice, PricedMapping forced) {
  if (choice.best) choice.runners_up.insert(choice.runners_up.begin(), std::move(*choice.best));
  std::erase_if(choice.runners_up,
                [&](const PricedMapping& other) { return other.mapping == forced.mapping; });
  if (choice.runners_up.size() > tuning::kRunnersUp) choice.runners_up.resize(tuning::kRunnersUp);
  choice.best = std::move(forced);
  choice.is_forced = true;
}

Decision decision_of(const Choice& choice) {
  if (!choice.best) {
    return Decision::no(choice.refused.empty()
                            ? "no candidates"
                            : concat("no mapping fits: ", choice.refused.front().decision.reason));
  }
  const std::string text = to_text(choice.best->mapping);
  Decision decision = Decision::yes(choice.is_forced ? concat(text, ", from RIDGE_MAPPING") : text);
  decision.cost_if_yes_us = microseconds(*choice.best);
  if (!choice.runners_up.empty()) decision.cost_if_no_us = microseconds(choice.runners_up.front());
  return decision;
}

// Moves what is not to be considered to the refused, each reason once.
void leave_out(Candidates& candidates, const Accepts& accepts) {
  std::erase_if(candidates.kept, [&](const Mapping& mapping) {
    Decision decision = accepts(mapping);
    if (decision) return false;
    const auto is_listed = [&](const RefusedMapping& other) {
      return other.decision.reason == decision.reason;
    };
    if (std::ranges::none_of(candidates.refused, is_listed)) {
      candidates.refused.push_back({mapping, std::move(decision)});
    }
    return true;
  });
}

Mapping parse_forced(const std::string& text, const Work& work, const loop::DeviceLimits& limits,
                     const Accepts& accepts) {
  try {
    const Mapping mapping = parse_fitting(text, work, limits);
    const Decision decision = accepts ? accepts(mapping) : Decision::yes("");
    RIDGE_CHECK(decision.verdict, .code = ErrorCode::value, .op = "mapping",
                .expected = "a mapping that a pass applies", .given = concat("`", text, "`"),
                .hint = decision.reason);
    return mapping;
  } catch (const Error& error) {
    throw Error({.code = error.code(),
                 .op = "RIDGE_MAPPING",
                 .expected = error.expected(),
                 .given = error.given(),
                 .hint = error.hint()});
  }
}

}  // namespace

std::optional<std::string> forced_mapping(const KernelId& id) {
  if (!is_knob_set(Knob::mapping)) return std::nullopt;
  const std::string text = knob_text(Knob::mapping);
  for (const std::string_view part : split_at(text, ";")) {
    if (trimmed(part).empty()) continue;
    const size_t equals = part.find('=');
    RIDGE_CHECK(equals != std::string_view::npos, .code = ErrorCode::parse, .op = "RIDGE_MAPPING",
                .expected = "kernel=mapping, separated by `;`",
                .given = concat("`", trimmed(part), "` at column ", part.data() - text.data() + 1));
    const std::string_view kernel = trimmed(part.substr(0, equals));
    const bool is_it = !kernel.empty() && (kernel == id.kernel || has_hash(kernel, id.hash));
    if (is_it) return std::string(trimmed(part.substr(equals + 1)));
  }
  return std::nullopt;
}

Choice choose(const Work& work, const cost::Sheet& sheet, const KernelId& id,
              const cost::Context& context, const Accepts& accepts) {
  const loop::DeviceLimits limits = cost::device_limits(&sheet);
  Candidates candidates = enumerate(work, limits);
  if (accepts) leave_out(candidates, accepts);
  Choice choice;
  choice.refused = std::move(candidates.refused);
  choice.candidates = static_cast<int>(candidates.kept.size());
  std::vector<PricedMapping> all;
  all.reserve(candidates.kept.size());
  for (const Mapping& mapping : candidates.kept) {
    all.push_back(priced(mapping, work, sheet, context));
  }
  std::ranges::stable_sort(all, {}, rank);
  for (size_t i = 0; i < std::min<size_t>(all.size(), tuning::kRunnersUp + 1); ++i) {
    if (i == 0) {
      choice.best = std::move(all[i]);
    } else {
      choice.runners_up.push_back(std::move(all[i]));
    }
  }
  if (const auto text = forced_mapping(id)) {
    force(choice, priced(parse_forced(*text, work, limits, accepts), work, sheet, context));
  }
  choice.decision = decision_of(choice);
  return choice;
}

std::string Choice::to_text() const {
  std::string text = decision.to_text();
  if (best) text += concat("\n  ", best->price.to_text());
  for (const PricedMapping& other : runners_up) {
    text += concat("\n  instead of ", mapping::to_text(other.mapping), " (",
                   Microseconds(microseconds(other)), "; ", other.price.to_text(), ")");
  }
  for (const RefusedMapping& other : refused) {
    text += concat("\n  refused ", mapping::to_text(other.mapping), ": ", other.decision.reason);
  }
  return text;
}

}  // namespace ridge::mapping
