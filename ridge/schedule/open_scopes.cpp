#include "ridge/schedule/open_scopes.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/schedule/node_definition.h"

namespace ridge::schedule {

void OpenScopes::open(int axis, const Expr& extent, loop::Place place, bool defines_values) {
  Scope scope;
  scope.axes = scopes_.back().axes | (defines_values ? uint64_t{1} << axis : 0);
  scope.axis = axis;
  scope.extent = extent;
  scope.place = place;
  scopes_.push_back(std::move(scope));
}

void OpenScopes::close() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  add({loop::Loop{scope.axis, scope.extent, scope.place, std::move(scope.body)}});
}

void OpenScopes::open_body(uint64_t axes) {
  Scope scope;
  scope.axes = scopes_.back().axes | axes;
  scopes_.push_back(std::move(scope));
}

loop::Body OpenScopes::close_body() {
  loop::Body body = std::move(scopes_.back().body);
  scopes_.pop_back();
  return body;
}

size_t OpenScopes::level_of(const Expr& index) const {
  // A value read through the index (a gather) belongs where it was made: here.
  bool reads_values = false;
  expr::walk(index, [&](const Expr& e) { reads_values |= e->kind == expr::Kind::input; });
  if (reads_values) return scopes_.size() - 1;
  // Nothing stands between the loops that are spread over threads.
  size_t level = 0;
  for (size_t i = 1; i < scopes_.size(); ++i) {
    const bool is_spread =
        scopes_[i].place != loop::Place::serial && scopes_[i].place != loop::Place::vector;
    if (scopes_[i].axis >= 0 && is_spread) level = i;
  }
  level = std::max(level, std::min(innermost_kept_, scopes_.size() - 1));
  const uint64_t needs = axes_in(index);
  while ((scopes_[level].axes & needs) != needs) ++level;
  return level;
}

int OpenScopes::once(int32_t id, const Expr& index, const std::function<int()>& make) {
  const size_t level = level_of(index);
  const std::pair key(id, index->hash);
  for (size_t i = 0; i <= level; ++i) {
    const auto found = scopes_[i].known.find(key);
    if (found == scopes_[i].known.end()) continue;
    for (const auto& [known, value] : found->second) {
      if (expr::same(known, index)) return value;
    }
  }
  // Written into the scope it belongs to: what is open inside is set aside meanwhile.
  std::vector<Scope> inside;
  while (scopes_.size() > level + 1) {
    inside.push_back(std::move(scopes_.back()));
    scopes_.pop_back();
  }
  const int value = make();
  scopes_.back().known[key].emplace_back(index, value);
  while (!inside.empty()) {
    scopes_.push_back(std::move(inside.back()));
    inside.pop_back();
  }
  return value;
}

loop::Body OpenScopes::finish() {
  RIDGE_INTERNAL_CHECK(scopes_.size() == 1, "loops left open");
  return std::move(scopes_[0].body);
}

}  // namespace ridge::schedule
