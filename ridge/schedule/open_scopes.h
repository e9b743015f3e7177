// Loops and bodies that are being filled, from the outermost to the innermost, and the values that each
// of them has.
//
//   scopes.open(axis, extent, loop::Place::serial, true);
//   scopes.add(statement);                                  // to the innermost
//   scopes.close();                                         // becomes a statement of the one around it
//
// A value that several ask for is made once, in the outermost scope that knows the axes of its index.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::schedule {

using expr::Expr;

class OpenScopes {
 public:
  OpenScopes() { scopes_.emplace_back(); }

  // A loop. `defines_values`: may values that depend on its axis be made right inside?
  void open(int axis, const Expr& extent, loop::Place place, bool defines_values);
  void close();
  // A body by itself, in which the values of `axes` may be made; it is handed out when it is closed.
  void open_body(uint64_t axes);
  loop::Body close_body();
  // From now on nothing is made outside of the current body.
  void stay_inside() { innermost_kept_ = scopes_.size() - 1; }

  loop::Body& body() { return scopes_.back().body; }
  void add(loop::Statement statement) { scopes_.back().body.push_back(std::move(statement)); }
  // Finds the value of key `id` at an index. If there is none, `make` adds it to the scope where it belongs.
  int once(int32_t id, const Expr& index, const std::function<int()>& make);

  // The body of the kernel, when all that was opened is closed.
  loop::Body finish();

 private:
  struct Scope {
    loop::Body body;
    uint64_t axes = 0;  // bound here or outside
    int axis = -1;
    Expr extent{};
    loop::Place place = loop::Place::serial;
    std::map<std::pair<int32_t, uint64_t>, std::vector<std::pair<Expr, int>>> known{};
  };

  // The number of the scope where a value at this index belongs.
  size_t level_of(const Expr& index) const;

  std::vector<Scope> scopes_;
  size_t innermost_kept_ = 0;
};

}  // namespace ridge::schedule
