#include "ridge/loop/tile_parse.h"

#include <array>

#include "ridge/base/text.h"
#include "ridge/loop/tile_text.h"

namespace ridge::loop {
namespace {

constexpr std::array kLayouts = {TileLayout::accumulator, TileLayout::operand,
                                 TileLayout::row_values,  TileLayout::column_values,
                                 TileLayout::linear,      TileLayout::swizzle_32,
                                 TileLayout::swizzle_64,  TileLayout::swizzle_128};

template <class Item>
int find(const std::vector<Item>& items, std::string_view name) {
  const auto found = std::ranges::find(items, name, &Item::name);
  return found == items.end() ? -1 : static_cast<int>(found - items.begin());
}

class TileParser {
 public:
  TileParser(KernelReader& in, const ParseBody& body)
      : in_(in), lines_(in.lines), kernel_(in.kernel), body_(body) {}

  void tile_declaration() {
    Tile tile{.name = lines_.name(), .dtype = f32, .rows = {}, .columns = {}};
    lines_.expect(":");
    tile.dtype = in_.dtype();
    lines_.expect("[");
    tile.rows = in_.expression();
    lines_.expect(",");
    tile.columns = in_.expression();
    lines_.expect("]");
    tile.is_column_contiguous = lines_.accept("columns");
    tile.layout = layout();
    if (lines_.accept("slots")) tile.slots = in_.number("a number of slots");
    if (lines_.accept("in")) {
      std::string owner = lines_.name();
      tile.ring = find(kernel_.rings, owner);
      if (tile.ring < 0) tile.role = std::move(owner);
    }
    in_.end_of_line();
    kernel_.tiles.push_back(std::move(tile));
  }
  void ring_declaration() {
    Ring ring{.name = lines_.name(), .slots = 0};
    lines_.expect("slots");
    ring.slots = in_.number("a number of slots");
    in_.end_of_line();
    kernel_.rings.push_back(std::move(ring));
  }
  void view_declaration() {
    View view{.name = lines_.name(), .buffer = 0, .extents = {}, .strides = {}, .box = {}};
    lines_.expect("=");
    view.buffer = in_.known_buffer("the buffer of a view");
    lines_.expect("[");
    view.extents = in_.expressions();
    lines_.expect("]");
    if (lines_.accept("from")) view.first = in_.expression();
    lines_.expect("strides");
    view.strides = in_.expressions();
    lines_.expect("box");
    do {
      view.box.push_back(in_.number("an extent of the box"));
    } while (lines_.accept(","));
    if (lines_.accept("swizzle")) view.swizzle = in_.number("the bytes of a swizzle");
    in_.end_of_line();
    kernel_.views.push_back(std::move(view));
  }

  Statement fill() {
    FillTile fill{.tile = tile(), .value = {}};
    lines_.expect("=");
    fill.value = in_.expression();
    return ended(std::move(fill));
  }
  Statement load() {
    LoadTile load{.tile = tile(), .row_axis = 0, .column_axis = 0, .element = {}};
    axes(load.row_axis, load.column_axis);
    lines_.expect("=");
    load.element = in_.expression();
    load.limits = limits();
    return ended(std::move(load));
  }
  Statement store() {
    StoreTile store{.buffer = in_.known_buffer("a buffer"),
                    .index = in_.position(),
                    .tile = 0,
                    .row_axis = 0,
                    .column_axis = 0};
    lines_.expect("=");
    store.tile = tile();
    axes(store.row_axis, store.column_axis);
    store.limits = limits();
    return ended(std::move(store));
  }
  Statement dot() {
    Dot dot{.into = 0, .lhs = {}, .rhs = {}};
    dot.is_async = lines_.accept("async");
    dot.into = tile();
    lines_.expect("+=");
    dot.lhs = part();
    dot.is_lhs_transposed = lines_.accept("transposed");
    lines_.expect("*");
    dot.rhs = part();
    dot.is_rhs_transposed = lines_.accept("transposed");
    return ended(std::move(dot));
  }
  Statement wait_dot() {
    WaitDot wait{.pending = in_.number("how many dots may be in flight"), .tiles = {}};
    if (!lines_.at_line_end()) {
      do {
        wait.tiles.push_back(tile());
      } while (lines_.accept(","));
    }
    return ended(std::move(wait));
  }
  Statement each() {
    EachElement each{.row_axis = in_.axis(), .column_axis = 0, .tile = 0, .body = {}};
    lines_.expect(",");
    each.column_axis = in_.axis();
    lines_.expect("of");
    each.tile = tile();
    each.limits = limits();
    each.body = block();
    return {std::move(each)};
  }
  Statement read() {
    ReadElement read{.value = in_.defined_value(), .tile = 0};
    lines_.expect("=");
    read.tile = tile();
    in_.value_name(read.value);
    return {read};
  }
  Statement write() {
    WriteElement write{.tile = tile(), .value = 0};
    lines_.expect("=");
    write.value = in_.known_value();
    return ended(write);
  }
  Statement fold() {
    FoldTile fold{.into = tile(), .combine = Combine::sum, .tile = 0, .along = Along::rows};
    fold.combine = in_.combine("a way to combine");
    lines_.expect("=");
    fold.tile = tile();
    lines_.expect("along");
    if (!lines_.accept("rows")) {
      lines_.expect("columns");
      fold.along = Along::columns;
    }
    fold.limits = limits();
    return ended(std::move(fold));
  }

  Statement role() {
    Role role{.name = lines_.name(), .warps = 1, .body = {}};
    if (lines_.accept("warpgroups")) {
      role.warps = kWarpgroupWarps;
    } else {
      lines_.expect("warps");
    }
    role.instances = in_.number("how many there are");
    if (lines_.accept("registers")) role.registers = in_.number("the registers of a thread");
    if (lines_.accept("index")) role.index = in_.axis();
    role.body = block();
    return {std::move(role)};
  }
  TileLoop tile_loop(int first_axis) {
    TileLoop loop{.axes = {first_axis}, .extents = {}, .body = {}};
    do {
      loop.axes.push_back(in_.axis());
    } while (lines_.accept(","));
    lines_.expect("in");
    lines_.expect("tiles");
    lines_.expect("(");
    loop.extents = in_.expressions();
    lines_.expect(")");
    if (lines_.accept("group")) loop.group = in_.number("rows of tiles");
    if (lines_.accept("from")) loop.from = in_.expression();
    if (lines_.accept("step")) loop.step = in_.number("a step");
    loop.body = block();
    return loop;
  }
  Statement produce() {
    Produce produce{.ring = ring(), .body = {}};
    produce.body = block();
    return {std::move(produce)};
  }
  Statement consume() {
    Consume consume{.ring = ring(), .body = {}};
    if (lines_.accept("lag")) consume.lag = in_.number("how many later ones");
    consume.body = block();
    return {std::move(consume)};
  }
  Statement skip() {
    SkipSlots skip{.ring = ring(), .count = {}};
    skip.count = in_.expression();
    return ended(std::move(skip));
  }
  Statement copy() {
    CopyTile copy{.tile = 0, .view = 0, .at = {}};
    const std::string first = lines_.name();
    copy.is_store = lines_.accept("[");
    if (copy.is_store) {
      copy.view = known(kernel_.views, first, "a view");
      copy.at = in_.expressions();
      lines_.expect("]");
      lines_.expect("=");
      copy.tile = tile();
    } else {
      copy.tile = known(kernel_.tiles, first, "a tile");
      lines_.expect("=");
      copy.view = known(kernel_.views, lines_.name(), "a view");
      lines_.expect("[");
      copy.at = in_.expressions();
      lines_.expect("]");
    }
    return ended(std::move(copy));
  }
  Statement wait_stores() {
    WaitStores wait{.pending = in_.number("how many stores may be in flight")};
    wait.is_read_only = lines_.accept("read");
    return ended(wait);
  }
  Statement move() {
    MoveTile move{.into = tile(), .from = {}};
    lines_.expect("=");
    move.from = part();
    return ended(std::move(move));
  }
  Statement barrier(bool waits) {
    NamedBarrier barrier{.number = in_.number("the number of a barrier"), .threads = 0};
    lines_.expect("threads");
    barrier.threads = in_.number("a number of threads");
    barrier.waits = waits;
    return ended(barrier);
  }
  Statement barrier_sync() { return barrier(true); }
  Statement barrier_arrive() { return barrier(false); }

 private:
  template <class Kind>
  Statement ended(Kind kind) {
    in_.end_of_line();
    return {std::move(kind)};
  }
  Body block() {
    lines_.expect("{");
    in_.end_of_line();
    return body_();
  }
  template <class Item>
  int known(const std::vector<Item>& items, std::string_view name, std::string_view what) const {
    const int index = find(items, name);
    if (index < 0) lines_.fail(concat(what, "; `", name, "` is none"));
    return index;
  }
  int tile() { return known(kernel_.tiles, lines_.name(), "a tile"); }
  int ring() { return known(kernel_.rings, lines_.name(), "a ring"); }
  TilePart part() {
    TilePart part{.tile = tile()};
    if (!lines_.accept("[")) return part;
    part.row = in_.expression();
    lines_.expect(",");
    part.column = in_.expression();
    lines_.expect("]");
    return part;
  }
  void axes(int& row, int& column) {
    lines_.expect("[");
    row = in_.axis();
    lines_.expect(",");
    column = in_.axis();
    lines_.expect("]");
  }
  TileLimits limits() {
    TileLimits limits;
    if (!lines_.accept("within")) return limits;
    if (!lines_.accept("*")) limits.rows = in_.expression();
    lines_.expect(",");
    if (!lines_.accept("*")) limits.columns = in_.expression();
    return limits;
  }
  TileLayout layout() {
    for (const TileLayout layout : kLayouts) {
      if (lines_.accept(name(layout))) return layout;
    }
    return TileLayout::unmapped;
  }

  KernelReader& in_;
  LineReader& lines_;
  Kernel& kernel_;
  const ParseBody& body_;
};

template <class Parse>
struct Beginning {
  std::string_view word;
  Parse parse;
};
constexpr auto kDeclarations = std::to_array<Beginning<void (TileParser::*)()>>({
    {"tile", &TileParser::tile_declaration},
    {"ring", &TileParser::ring_declaration},
    {"view", &TileParser::view_declaration},
});
constexpr auto kStatements = std::to_array<Beginning<Statement (TileParser::*)()>>({
    {"fill", &TileParser::fill},
    {"load", &TileParser::load},
    {"store", &TileParser::store},
    {"dot", &TileParser::dot},
    {"wait_dot", &TileParser::wait_dot},
    {"each", &TileParser::each},
    {"read", &TileParser::read},
    {"write", &TileParser::write},
    {"fold", &TileParser::fold},
    {"role", &TileParser::role},
    {"produce", &TileParser::produce},
    {"consume", &TileParser::consume},
    {"skip", &TileParser::skip},
    {"copy", &TileParser::copy},
    {"wait_stores", &TileParser::wait_stores},
    {"move", &TileParser::move},
    {"barrier_sync", &TileParser::barrier_sync},
    {"barrier_arrive", &TileParser::barrier_arrive},
});

}  // namespace

bool parse_declaration(KernelReader& in) {
  for (const auto& [word, parse] : kDeclarations) {
    if (!in.lines.accept_before_blank(word)) continue;
    const ParseBody no_body;
    TileParser parser(in, no_body);
    (parser.*parse)();
    return true;
  }
  return false;
}

std::optional<Statement> parse_tile_statement(KernelReader& in, const ParseBody& body) {
  for (const auto& [word, parse] : kStatements) {
    if (!in.lines.accept_before_blank(word)) continue;
    TileParser parser(in, body);
    return (parser.*parse)();
  }
  return std::nullopt;
}

TileLoop parse_tile_loop(KernelReader& in, int first_axis, const ParseBody& body) {
  return TileParser(in, body).tile_loop(first_axis);
}

}  // namespace ridge::loop
