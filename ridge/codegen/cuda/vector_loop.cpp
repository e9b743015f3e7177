// A vector loop: wide loads, one unrolled loop over the lanes, wide stores.
//
//   for i3 in 4 @vector {                     float x_lanes[4];
//     let v1: f32 = x[4 * i1 + i3]            ridge::load_wide<16>(x_lanes, &x[4 * i1]);
//     out[4 * i1 + i3] = v1 * 2.0      ->     float out_lanes[4];
//   }                                         #pragma unroll
//                                             for (int i3 = 0; i3 < 4; ++i3) { ... }
//                                             ridge::store_wide<16>(&out[4 * i1], out_lanes);
//
// Serial loops inside, and conditions that are the same in all lanes, stay around the lanes' loop,
// which is then split: values of a lane that live from one part to the next are arrays, and so are
// the partials of reductions. Iterations do not touch each other's elements (loop.h), so neither
// lane by lane nor all loads first changes what they see; only within one iteration order counts.
//
// A condition on lanes (the ends of a row that is not aligned) is written twice: for threads all of
// whose lanes take part, and for others, with a mask. Loads stay wide: 16 bytes with one element that may
// be read can be read.
#include <algorithm>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/lane_condition.h"
#include "ridge/codegen/cuda/lane_loop.h"
#include "ridge/codegen/cuda/lane_memory.h"
#include "ridge/codegen/cuda/lane_partials.h"
#include "ridge/codegen/cuda/lane_values.h"
#include "ridge/codegen/cuda/packed_rows.h"
#include "ridge/codegen/cuda/small_angles.h"
#include "ridge/codegen/cuda/statement.h"
#include "ridge/codegen/cuda/vector_part.h"

namespace ridge::codegen::cuda {
namespace {

using expr::Kind;

class VectorLoopWriter {
 public:
  VectorLoopWriter(Emission& emission, const loop::Loop& loop)
      : emission_(emission),
        loop_(loop),
        region_{loop.axis, static_cast<int>(loop.extent->integer), {}, {}, {}, {}} {
    region_.reads = reads_of(loop.body, emission.kernel.values.size());
  }

  void write() {
    const auto axis = static_cast<size_t>(loop_.axis);
    emission_.facts.set_axis(loop_.axis, loop_.extent);
    emission_.axis_types[axis] = CppType::int32;
    emission_.region = &region_;
    LanePartials partials(emission_);
    partials.start(loop_.body);
    write_parts(loop_.body);
    emission_.region = nullptr;
    partials.finish();
  }

 private:
  const std::string& lane() const { return lane_name(emission_); }

  void write_parts(const loop::Body& body) {
    Part part;
    const auto finish = [&] {
      if (!part.empty()) write_part(std::exchange(part, {}));
    };
    for (const loop::Statement& statement : body) {
      const auto* const inner = as<loop::Loop>(statement);
      const auto* const branch = as<loop::If>(statement);
      if (inner != nullptr) {
        finish();
        open_loop(emission_, *inner);
        write_inside(inner->body);
        close_loop(emission_);
      } else if (branch != nullptr && is_uniform(emission_, branch->condition)) {
        finish();
        emission_.out.line("if (", condition_text(emission_, branch->condition), ") {");
        write_inside(branch->then);
        emission_.out.line("}");
      } else if (branch != nullptr && is_flat(branch->then)) {
        finish();
        write_masked(*branch);
      } else if (const auto* const stage = as<loop::Stage>(statement)) {
        finish();
        write_stage(emission_, *stage, {});
      } else if (as<loop::Let>(statement) != nullptr && can_hoist(statement, part)) {
        write_statement(emission_, statement);
      } else {
        add_lane_values(region_, statement);
        part.push_back(&statement);
      }
    }
    finish();
  }
  void write_inside(const loop::Body& body) {
    const auto indent = emission_.out.indent();
    write_parts(body);
  }
  // A value that is the same in all lanes goes before the loop over them.
  bool can_hoist(const loop::Statement& statement, const Part& before) const {
    const Expr& e = as<loop::Let>(statement)->expression;
    bool can = is_uniform(emission_, e);
    expr::walk(e, [&](const Expr& node) {
      can &=
          node->kind != Kind::load || !stores_before(emission_, before, before.size(), node->index);
    });
    return can;
  }

  // What lanes do of which some may stand aside.
  void write_masked(const loop::If& branch) {
    Part part, stages;
    for (const loop::Statement& statement : branch.then) {
      add_lane_values(region_, statement);
      (as<loop::Stage>(statement) != nullptr ? stages : part).push_back(&statement);
    }
    const bool is_rest =
        ends_at_bound(emission_, branch.condition) && can_be_alone(emission_, part);
    if (stages.empty() && is_rest && !is_walked()) return write_rest(branch, part);
    if (!part.empty()) write_masked_part(branch.condition, part);
    for (const loop::Statement* stage : stages) {
      write_stage(emission_, *as<loop::Stage>(*stage), branch.condition);
    }
  }
  // Where rows follow each other, all threads would wait for the one that takes its lanes one by one.
  bool is_walked() const { return emission_.loop_depth > 1; }
  // Compilers must not see how the mask was made: that of CUDA 13 takes the answer whether all lanes are inside
  // from the minimum that bounds their number, and gets it wrong.
  std::string write_hidden_mask(const Expr& condition) {
    const std::string mask = write_lane_mask(emission_, condition);
    const std::string hidden = emission_.names.add("inside");
    emission_.use("steady");
    emission_.out.line("const unsigned ", hidden, " = ridge::steady(", mask, ");");
    return hidden;
  }
  // A mask costs an instruction or two for each lane, so it is only made by threads that need it, but where rows
  // stream.
  void write_masked_part(const Expr& condition, const Part& part) {
    if (copies_only(part)) return write_with(write_lane_mask(emission_, condition), part);
    if (is_streamed(emission_)) return write_with(write_hidden_mask(condition), part);
    const std::optional<Expr> all = if_all_lanes(emission_, condition);
    const std::string before = all ? "" : write_lane_mask(emission_, condition);
    emission_.out.line(
        "if (",
        all ? condition_text(emission_, *all) : concat(before, " == ", (1u << region_.lanes) - 1),
        ") {");
    {
      const auto indent = emission_.out.indent();
      write_part(part);
    }
    emission_.out.line("} else {");
    {
      const auto indent = emission_.out.indent();
      const std::string mask = all ? write_lane_mask(emission_, condition) : before;
      emission_.out.line("if (", mask, " != 0) {");
      {
        const auto inner = emission_.out.indent();
        write_with(mask, part);
      }
      emission_.out.line("}");
    }
    emission_.out.line("}");
  }
  // All lanes together, and those of the thread at the end one by one: few instructions for what is rare.
  void write_rest(const loop::If& branch, const Part& part) {
    const Expr all = *if_all_lanes(emission_, branch.condition);
    emission_.out.line("if (", condition_text(emission_, all), ") {");
    {
      const auto indent = emission_.out.indent();
      write_part(part);
    }
    emission_.out.line("} else {");
    {
      const auto indent = emission_.out.indent();
      declare_lane_arrays(emission_, part);
      emission_.out.line("#pragma unroll 1");
      emission_.out.line("for (int ", lane(), " = 0; ", lane(), " < ", region_.lanes - 1, "; ++",
                         lane(), ") {");
      {
        const auto inner = emission_.out.indent();
        const std::string condition = condition_text(emission_, branch.condition);
        emission_.out.line("if (!(", condition, ")) break;");
        for (const loop::Statement* statement : part) write_statement(emission_, *statement);
      }
      emission_.out.line("}");
    }
    emission_.out.line("}");
  }
  void write_with(const std::string& mask, const Part& part) {
    mask_ = mask;
    write_part(part);
    mask_.clear();
  }
  bool copies_only(const Part& part) const {
    for (size_t i = 0; i < part.size(); i += 2) {
      const bool is_copy = i + 1 < part.size() &&
                           copied_load(emission_.is_packed, *part[i], *part[i + 1]) != nullptr;
      if (!is_copy) return false;
    }
    return true;
  }

  // Elements that go from memory to registers as they are leave the part.
  Part write_copies(const Part& part) {
    Part rest;
    for (size_t i = 0; i < part.size(); ++i) {
      const loop::Let* const let =
          i + 1 < part.size() ? copied_load(emission_.is_packed, *part[i], *part[i + 1]) : nullptr;
      if (let == nullptr) {
        rest.push_back(part[i]);
        continue;
      }
      memory_.copy_packed(let->expression, *as<loop::Store>(*part[++i]));
    }
    return rest;
  }

  void write_part(const Part& whole) {
    const Part part = write_copies(whole);
    if (part.empty()) return;
    declare_lane_arrays(emission_, part);
    for (size_t i = 0; i < part.size(); ++i) {
      for_each_expression(*part[i], [&](const Expr& e) {
        for (const Expr& load : certain_loads(e)) {
          if (!stores_before(emission_, part, i + 1, load->index)) memory_.load_wide(load);
        }
      });
    }
    load_chosen(part);
    std::vector<std::string> after(part.size());
    std::vector<std::string> lanes(part.size());
    for (size_t i = 0; i < part.size(); ++i) {
      const auto* const store = as<loop::Store>(*part[i]);
      if (store != nullptr && !touches_after(emission_, part, i, store->buffer)) {
        memory_.declare_store(*store, lanes[i], after[i]);
      }
    }
    if (mask_.empty()) {
      write_by_angles(emission_, part, [&] { write_lanes(part, lanes); });
    } else {
      write_lanes(part, lanes);
    }
    for (const std::string& store : after) {
      if (!store.empty()) memory_.write_store(store);
    }
    region_.wide_loads.clear();
  }

  // Each has registers of its own, though only some are filled.
  static constexpr size_t kMostChosen = 4;
  void load_chosen(const Part& part) {
    const auto is_shared = [this](const Expr& e) { return is_uniform(emission_, e); };
    const std::vector<ChosenLoad> loads = chosen_loads(part, is_shared);
    if (loads.size() > kMostChosen) return;
    for (const ChosenLoad& chosen : loads) {
      if (stores_before(emission_, part, part.size(), chosen.load->index)) continue;
      memory_.load_wide(chosen.load,
                        concat("if (", condition_text(emission_, chosen.condition), ") "));
    }
  }

  // Angles are those of a lane, and end with it.
  void write_lanes(const Part& part, const std::vector<std::string>& stored) {
    const auto angles_before = emission_.angles;
    const bool computes_all = !mask_.empty() && can_all_compute(part);
    for_each_lane(emission_, [&] {
      if (!mask_.empty() && !computes_all)
        emission_.out.line("if ((", mask_, " >> ", lane(), " & 1) == 0) continue;");
      for (size_t i = 0; i < part.size(); ++i) {
        forget_loads(*part[i]);
        if (stored[i].empty() && computes_all && as<loop::Let>(*part[i]) == nullptr) {
          write_guarded(*part[i]);
        } else if (stored[i].empty()) {
          write_statement(emission_, *part[i]);
        } else {
          memory_.fill_lane(*as<loop::Store>(*part[i]), stored[i]);
        }
      }
    });
    emission_.angles = angles_before;
  }

  void write_guarded(const loop::Statement& statement) {
    emission_.out.line("if ((", mask_, " >> ", lane(), " & 1) != 0) {");
    {
      const auto indent = emission_.out.indent();
      write_statement(emission_, statement);
    }
    emission_.out.line("}");
  }
  // Lanes that stand aside may compute what nobody asks for, which spares a branch in each: all that they
  // read is there, and nothing that they meet stops a thread.
  bool can_all_compute(const Part& part) const {
    bool can = true;
    const auto is_there = [&](const Expr& load) {
      const bool is_register = emission_.buffer(load->index).space == loop::Space::local;
      return is_register || is_uniform(emission_, load) ||
             std::ranges::any_of(region_.wide_loads, [&](const WideLoad& wide) {
               return expr::same(wide.load, load) &&
                      !stores_before(emission_, part, part.size(), load->index);
             });
    };
    for (const loop::Statement* statement : part) {
      const auto* const let = as<loop::Let>(*statement);
      if (let == nullptr) continue;
      expr::walk(let->expression, [&](const Expr& node) {
        if (node->kind == Kind::load) can &= is_there(node);
        if (node->kind != Kind::call || node->type != expr::Type::integer) return;
        using expr::Function;
        const bool divides =
            node->function == Function::floor_div || node->function == Function::mod;
        const bool reports =
            node->function == Function::checked_index || node->function == Function::pow;
        can &= !reports && (!divides || expr::is_constant(node->args[1]));
      });
    }
    return can;
  }

  // What a statement stores was not there yet when all lanes were loaded.
  void forget_loads(const loop::Statement& statement) {
    std::erase_if(region_.wide_loads, [&](const WideLoad& wide) {
      return stores_before(emission_, {&statement}, 1, wide.load->index);
    });
  }

  Emission& emission_;
  const loop::Loop& loop_;
  Region region_;
  std::string mask_;  // a bit for each lane that takes part, where some may not
  LaneMemory memory_{emission_, region_, mask_};
};

}  // namespace

void write_vector_loop(Emission& emission, const loop::Loop& loop) {
  VectorLoopWriter(emission, loop).write();
}

}  // namespace ridge::codegen::cuda
