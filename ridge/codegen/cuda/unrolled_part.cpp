// The lines of a part, in their order: copies, arrays, loads, the loop over lanes, stores.
#include <algorithm>
#include <iterator>

#include "ridge/codegen/cuda/lane_memory.h"
#include "ridge/codegen/cuda/lane_values.h"
#include "ridge/codegen/cuda/packed_rows.h"
#include "ridge/codegen/cuda/vector_part.h"

namespace ridge::codegen::cuda {

// Which loads of a part are angles, and the branch around its two loops over lanes.

namespace {

// Whether those that the statement loads are small, as text, and from here on they are.
void add_small_angle(Emission& emission, const loop::Statement& statement,
                     std::vector<std::string>& conditions) {
  const auto* const let = as<loop::Let>(statement);
  if (let == nullptr || !emission.sincos_values.contains(let->value)) return;
  for (const WideLoad& wide : emission.region->wide_loads) {
    const CppType type = register_type(emission.buffer(wide.load->index).dtype);
    if (type != CppType::f32 || !expr::same(wide.load, let->expression)) continue;
    conditions.push_back(concat("ridge::are_small(", wide.lanes, ")"));
    emission.small_angles.insert(let->value);
  }
}

}  // namespace

void write_by_angles(Emission& emission, const Part& part,
                     const std::function<void()>& write_lanes) {
  std::vector<std::string> conditions;
  for (const loop::Statement* statement : part) add_small_angle(emission, *statement, conditions);
  if (conditions.empty()) return write_lanes();
  emission.use("are_small");
  emission.out.line("if (", join(conditions, " && "), ") {");
  // Lanes forget those that they store over; the others start as these do.
  const auto wide_loads = emission.region->wide_loads;
  {
    const auto indent = emission.out.indent();
    write_lanes();
  }
  emission.out.line("} else {");
  emission.region->wide_loads = wide_loads;
  emission.small_angles.clear();
  forget_names(emission, part);
  {
    const auto indent = emission.out.indent();
    write_lanes();
  }
  emission.out.line("}");
}

// The lines of a part, in their order: copies, arrays, loads, the loop over lanes, stores.

namespace {

using expr::Kind;

// Chosen loads have registers of their own, though only some of them are filled.
constexpr size_t kMostChosen = 4;

// Can it trap or report an error, on arguments that were not checked?
bool can_fail(const Expr& node) {
  using expr::Function;
  if (node->kind != Kind::call || node->type != expr::Type::integer) return false;
  const bool divides = node->function == Function::floor_div || node->function == Function::mod;
  const bool reports = node->function == Function::checked_index || node->function == Function::pow;
  return reports || (divides && !expr::is_constant(node->args[1]));
}

class UnrolledPartWriter {
 public:
  UnrolledPartWriter(Emission& emission, const std::string& mask)
      : emission_(emission),
        region_(*emission.region),
        mask_(mask),
        memory_(emission, region_, mask_) {}

  void write(const Part& whole) {
    write_copies(whole);
    if (part_.empty()) return;
    declare_lane_arrays(emission_, part_);
    load_certain();
    load_chosen();
    declare_stores();
    if (mask_.empty()) {
      write_by_angles(emission_, part_, [this] { write_lanes(); });
    } else {
      write_lanes();
    }
    for (const WideStore& store : stores_) {
      if (!store.after.empty()) memory_.write_store(store.after);
    }
    region_.wide_loads.clear();
  }

 private:
  // Of a statement that is no store, or that each lane does for itself, both are empty.
  struct WideStore {
    std::string lanes;  // the array that they fill
    std::string after;  // what stores it behind them
  };

  // Elements that go from memory to registers as they are leave the part.
  void write_copies(const Part& whole) {
    for (size_t i = 0; i < whole.size(); ++i) {
      const loop::Let* const let = i + 1 < whole.size()
                                       ? copied_load(emission_.is_packed, *whole[i], *whole[i + 1])
                                       : nullptr;
      if (let == nullptr) {
        part_.push_back(whole[i]);
        continue;
      }
      memory_.copy_packed(let->expression, *as<loop::Store>(*whole[++i]));
    }
  }

  void load_certain() {
    for (size_t i = 0; i < part_.size(); ++i) {
      for_each_expression(*part_[i], [&](const Expr& e) {
        for (const Expr& load : certain_loads(e)) {
          if (!stores_before(emission_, part_, i + 1, load->index)) memory_.load_wide(load);
        }
      });
    }
  }

  void load_chosen() {
    const auto is_shared = [this](const Expr& e) { return is_uniform(emission_, e); };
    const std::vector<PredicatedLoad> loads = predicated_loads(part_, is_shared);
    if (loads.size() > kMostChosen) return;
    for (const PredicatedLoad& chosen : loads) {
      if (is_stored_to(chosen.load->index)) continue;
      memory_.load_wide(chosen.load,
                        concat("if (", condition_text(emission_, chosen.condition), ") "));
    }
  }

  void declare_stores() {
    stores_.resize(part_.size());
    for (size_t i = 0; i < part_.size(); ++i) {
      const auto* const store = as<loop::Store>(*part_[i]);
      if (store != nullptr && !touches_after(emission_, part_, i, store->buffer)) {
        memory_.declare_store(*store, stores_[i].lanes, stores_[i].after);
      }
    }
  }

  // Angles are those of a lane, and end with it.
  void write_lanes() {
    const auto angles_before = emission_.angles;
    const bool computes_all = !mask_.empty() && can_all_compute();
    for_each_lane(emission_, [&] {
      if (!mask_.empty() && !computes_all) {
        emission_.out.line("if (", lane_bit(), " == 0) continue;");
      }
      for (size_t i = 0; i < part_.size(); ++i) {
        forget_loads(*part_[i]);
        if (!stores_[i].lanes.empty()) {
          memory_.fill_lane(*as<loop::Store>(*part_[i]), stores_[i].lanes);
        } else if (computes_all && as<loop::Let>(*part_[i]) == nullptr) {
          write_predicated(*part_[i]);
        } else {
          write_statement(emission_, *part_[i]);
        }
      }
    });
    emission_.angles = angles_before;
  }

  // Lanes that are masked off may compute results that are not used, which saves a branch in each lane: all that
  // they read is loaded, and nothing that they compute can fail.
  bool can_all_compute() const {
    bool can = true;
    const std::vector<Expr> common = common_loads();
    for (const loop::Statement* statement : part_) {
      const auto* const let = as<loop::Let>(*statement);
      if (let == nullptr) continue;
      expr::walk(let->expression, [&](const Expr& node) {
        if (node->kind == Kind::load) can &= is_there(node, common);
        can &= !can_fail(node);
      });
    }
    return can;
  }
  bool is_there(const Expr& load, const std::vector<Expr>& common) const {
    const auto is_same = [&](const Expr& other) { return expr::same(other, load); };
    const bool is_register = emission_.buffer(load->index).space == loop::Space::local;
    return is_register || std::ranges::any_of(common, is_same) ||
           std::ranges::any_of(region_.wide_loads, [&](const WideLoad& wide) {
             return is_same(wide.load) && !is_stored_to(load->index);
           });
  }
  // Loads that are the same in all lanes and that either every active lane does or none: at least one active lane has
  // done them. Where all lanes of a thread may be masked off, they are row-invariant. A load under a condition that
  // differs between lanes is not one of them.
  std::vector<Expr> common_loads() const {
    std::vector<Expr> loads;
    for (const loop::Statement* statement : part_) {
      const auto* const let = as<loop::Let>(*statement);
      if (let != nullptr)
        std::ranges::copy(certain_loads(let->expression), std::back_inserter(loads));
    }
    const auto uniform = [&](const Expr& e) { return is_uniform(emission_, e); };
    for (const PredicatedLoad& chosen : predicated_loads(part_, uniform))
      loads.push_back(chosen.load);
    std::erase_if(loads, [&](const Expr& load) { return !uniform(load); });
    return loads;
  }

  void write_predicated(const loop::Statement& statement) {
    emission_.out.line("if (", lane_bit(), " != 0) {");
    {
      const auto indent = emission_.out.indent();
      write_statement(emission_, statement);
    }
    emission_.out.line("}");
  }
  std::string lane_bit() const { return concat("(", mask_, " >> ", lane_name(emission_), " & 1)"); }

  // What a statement stores was not there yet when all lanes were loaded.
  void forget_loads(const loop::Statement& statement) {
    std::erase_if(region_.wide_loads, [&](const WideLoad& wide) {
      return stores_before(emission_, {&statement}, 1, wide.load->index);
    });
  }
  bool is_stored_to(int buffer) const {
    return stores_before(emission_, part_, part_.size(), buffer);
  }

  Emission& emission_;
  Region& region_;
  const std::string& mask_;
  LaneMemory memory_;
  Part part_;                      // without the copies
  std::vector<WideStore> stores_;  // by statement of the part
};

}  // namespace

void write_unrolled_part(Emission& emission, const Part& part, const std::string& mask) {
  UnrolledPartWriter(emission, mask).write(part);
}

}  // namespace ridge::codegen::cuda
