#include "ridge/capture/size_profile.h"

#include <algorithm>

#include "ridge/base/text.h"

namespace ridge::capture {
namespace {

using Kind = SizeSlot::Kind;

// Sizes that mean something of their own: nothing is there, or it is broadcast. A stride of 1 is what
// loads of neighbors are made for.
bool is_special(int64_t value) { return value == 0 || value == 1; }

}  // namespace

SizeProfile::SizeProfile(Dynamic mode, std::vector<DimOf> dims, Location where)
    : mode_(mode), dims_(std::move(dims)), where_(where) {
  std::map<std::string, const Dim*> ranges;
  const auto text = [](const Dim& dim) { return concat("[", dim.low, ", ", dim.high, "]"); };
  for (const DimOf& declared : dims_) {
    const Dim& dim = declared.size;
    const Dim& first = *ranges.emplace(dim.name, &dim).first->second;
    RIDGE_CHECK(first.low == dim.low && first.high == dim.high, .code = ErrorCode::value,
                .op = "Dim", .expected = concat("one range of the name ", dim.name),
                .given = concat(text(first), ", and ", text(dim), " for ", declared.path),
                .hint = "make one Dim and use it for all of them", .where = where_);
  }
}

SizeProfile::Seen& SizeProfile::observe(const CallSizes& call) {
  const auto [place, is_new] = seen_.try_emplace(call.skeleton);
  Seen& seen = place->second;
  if (is_new) {
    seen = {call.values, call.values, std::vector<bool>(call.values.size())};
  }
  for (size_t i = 0; i < call.values.size(); ++i) {
    seen.has_changed[i] = seen.has_changed[i] || call.values[i] != seen.first[i];
    seen.largest[i] = std::max(seen.largest[i], call.values[i]);
  }
  ++seen.programs;
  return seen;
}

size_t SizeProfile::slot_of(const DimOf& declared, const CallSizes& call,
                            const SizeNames& names) const {
  for (size_t i = 0; i < call.slots.size(); ++i) {
    const SizeSlot& slot = call.slots[i];
    if (slot.kind == Kind::stride) continue;
    const bool is_argument = slot.kind == Kind::argument;
    if ((is_argument ? names.arguments : names.tensors)[slot.item] != declared.path) continue;
    if (is_argument) return i;
    size_t rank = 1;  // the slots of a tensor's sizes follow each other
    while (i + rank < call.slots.size() && call.slots[i + rank].item == slot.item &&
           call.slots[i + rank].kind == Kind::size) {
      ++rank;
    }
    return i + static_cast<size_t>(wrap_dim(declared.dim, static_cast<int64_t>(rank), where_));
  }
  std::vector<std::string> known = names.tensors;
  known.insert(known.end(), names.arguments.begin(), names.arguments.end());
  throw Error({.code = ErrorCode::unknown_name,
               .op = "Dim",
               .expected = "the path of a tensor with dimensions, one of " + join(known, ", "),
               .given = declared.path,
               .hint = did_you_mean(declared.path, known),
               .where = where_});
}

void SizeProfile::check_range(const Dim& dim, int64_t value) const {
  RIDGE_CHECK(dim.low <= value && value <= dim.high, .code = ErrorCode::value, .op = "Dim",
              .expected = concat(dim.name, " in [", dim.low, ", ", dim.high, "], as declared"),
              .given = concat(dim.name, " = ", value), .where = where_);
}

std::vector<const Dim*> SizeProfile::declared_in(const CallSizes& call,
                                                 const SizeNames& names) const {
  std::vector<const Dim*> result(call.slots.size());
  std::map<std::string, int64_t> values;
  for (const DimOf& declared : dims_) {
    const size_t slot = slot_of(declared, call, names);
    const Dim*& name = result[slot];
    RIDGE_CHECK(name == nullptr || name->name == declared.size.name, .code = ErrorCode::shape,
                .op = "Dim",
                .expected = concat("one name for dimension ", declared.dim, " of ", declared.path),
                .given = concat(name->name, " and ", declared.size.name), .where = where_);
    name = &declared.size;
    check_range(declared.size, call.values[slot]);
    const auto [same, is_new] = values.emplace(declared.size.name, call.values[slot]);
    RIDGE_CHECK(is_new || same->second == call.values[slot], .code = ErrorCode::shape, .op = "Dim",
                .expected = concat("one size of the name ", declared.size.name),
                .given = concat(same->second, ", and ", call.values[slot], " in dimension ",
                                declared.dim, " of ", declared.path),
                .where = where_);
  }
  return result;
}

std::vector<std::vector<SlotPlan>> SizeProfile::plans(const CallSizes& call,
                                                      const SizeNames& names) {
  const std::vector<const Dim*> declared = declared_in(call, names);
  const Seen& seen = observe(call);
  const bool is_all = mode_ == Dynamic::always || seen.programs > kMostPrograms;
  std::vector<SlotPlan> usual(call.slots.size());
  bool has_special = false;
  for (size_t i = 0; i < usual.size(); ++i) {
    const int64_t value = call.values[i];
    const bool is_stride = call.slots[i].kind == Kind::stride;
    const bool is_dynamic = mode_ != Dynamic::never && (is_all || seen.has_changed[i]) &&
                            !(is_stride && is_special(value));
    usual[i] = {.is_symbolic = (is_dynamic || declared[i] != nullptr) && !call.shares_memory,
                .hint = value,
                .expected = std::max<int64_t>(seen.largest[i], 2),
                .declared = declared[i]};
    if (!usual[i].is_symbolic || !is_special(value)) continue;
    if (value == 0) usual[i].is_symbolic = false;
    has_special = has_special || value == 1;
    usual[i].hint = usual[i].expected;
  }
  std::vector<std::vector<SlotPlan>> plans = {usual};
  if (has_special) {
    for (size_t i = 0; i < usual.size(); ++i) {
      if (is_special(call.values[i])) usual[i].is_symbolic = false;
    }
    plans.push_back(usual);
  }
  const bool has_symbols = std::ranges::any_of(usual, &SlotPlan::is_symbolic);
  if (has_symbols) plans.emplace_back(usual.size());
  return plans;
}

}  // namespace ridge::capture
