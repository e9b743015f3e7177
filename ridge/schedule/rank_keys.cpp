#include "ridge/schedule/rank_keys.h"

#include <limits>

namespace ridge::schedule {
namespace {

// Positions are stored in 32 bits.
constexpr int64_t kLongestRow = std::numeric_limits<int32_t>::max();

RankKeys keys_of(DType dtype, bool is_descending) {
  if (dtype == f64) return {f64, i64, 64, 0, true, is_descending};
  if (is_floating(dtype)) {
    const int unused = dtype == bf16 ? 16 : dtype == f16 ? 12 : 0;
    return {f32, i32, 32, unused, true, is_descending};
  }
  if (dtype == i64) return {i64, i64, 64, 0, false, is_descending};
  const int width = dtype.bits <= 8 ? 8 : 32;
  return {i32, i32, width, 0, false, is_descending, dtype == u8 || dtype == boolean};
}

}  // namespace

Expr RankKeys::ordered(const Expr& bits) const {
  if (!is_real) return is_unsigned ? bits - (int64_t{1} << (width - 1)) : bits;
  const bool is_f64 = width == 64;
  const int64_t lowest =
      is_f64 ? std::numeric_limits<int64_t>::min() : int64_t{std::numeric_limits<int32_t>::min()};
  const int64_t infinity = is_f64 ? 0x7ff0000000000000 : 0x7f800000;
  const int64_t nan = -(lowest + 1) - ((int64_t{1} << unused) - 1);
  const Expr key = expr::select(bits < 0, Expr(lowest) - bits, bits);
  return expr::select(key > infinity || key < -infinity, Expr(nan), key);
}

Expr RankKeys::digit(const Expr& key, int first, int count) const {
  const int64_t base = int64_t{1} << count;
  const Expr above = expr::floor_div(key, Expr(int64_t{1} << first));
  // The highest one has the sign.
  const Expr digit = first + count == width ? above + base / 2 : expr::mod(above, Expr(base));
  return is_descending ? Expr(base - 1) - digit : digit;
}

std::vector<int> RankKeys::digits(int count) const {
  std::vector<int> firsts;
  for (int first = unused / count * count; first < width; first += count) firsts.push_back(first);
  return firsts;
}

std::optional<GroupRank> find_rank(const LoopInput& input, int64_t counted) {
  if (input.group.members.size() != 1) return std::nullopt;
  const Member& member = input.group.members.front();
  const NodeDefinition& node_definition = input.program.node_definition(member.node);
  const std::optional<ops::RankForm> form = ops::rank_form(node_definition.definition);
  if (!form) return std::nullopt;
  const Size& length = node_definition.shape[form->dim];
  if (length <= counted || length > kLongestRow) return std::nullopt;
  return GroupRank{&member, *form, keys_of(node_definition.compute[0], form->is_descending)};
}

RankScratch::RankScratch(const LoopInput& input, const RankKeys& keys, const Size& count,
                         size_t passes)
    : first(input.first_scratch), elements(count) {
  const Size second = passes > 1 ? count : 1;
  buffers.push_back({keys.read, {count}});
  buffers.push_back({keys.read, {second}});
  buffers.push_back({i32, {passes > 2 ? count : 1}});
  buffers.push_back({i32, {second}});
}

Expr ranked_element(GroupEmitter& group, const GroupRank& rank) {
  const size_t dims = group.input.program.node_definition(rank.member->node).shape.size();
  return group.emitter.lowered(rank.member->node,
                               expr::load(0, rank.form.type, ops::all_axes(dims)),
                               group.emitter.member_axes(*rank.member));
}

void store_rank(GroupEmitter& group, const GroupRank& rank, const RowsAlong& rows,
                const Expr& source, int value) {
  const std::vector<Expr> axes = group.emitter.group_axes();
  group.flatten({rows.along}, source);
  group.emitter.store(*rank.member, value);
  group.emitter.set_group_axes(axes);
}

}  // namespace ridge::schedule
