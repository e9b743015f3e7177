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
// which is then split into parts (vector_part.h): values of a lane that live from one part to the next
// are arrays (lane_values.h), and so are the partials of reductions (lane_values.h). Conditions on
// lanes: masked_branch.h.
#include <utility>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/lane_values.h"
#include "ridge/codegen/cuda/masked_branch.h"
#include "ridge/codegen/cuda/vector_part.h"

namespace ridge::codegen::cuda {
namespace {

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
    emission_.ranges.set_axis(loop_.axis, loop_.extent);
    emission_.axis_types[axis] = CppType::int32;
    emission_.region = &region_;
    LanePartials partials(emission_);
    partials.start(loop_.body);
    write_parts(loop_.body);
    emission_.region = nullptr;
    partials.finish();
  }

 private:
  void write_parts(const loop::Body& body) {
    Part part;
    const auto finish = [&] {
      if (!part.empty()) write_unrolled_part(emission_, std::exchange(part, {}));
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
        write_masked_branch(emission_, *branch);
      } else if (const auto* const copy = as<loop::AsyncCopy>(statement)) {
        finish();
        write_async_copy(emission_, *copy, {});
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
      can &= node->kind != expr::Kind::load ||
             !stores_before(emission_, before, before.size(), node->index);
    });
    return can;
  }

  Emission& emission_;
  const loop::Loop& loop_;
  Region region_;
};

}  // namespace

void write_vector_loop(Emission& emission, const loop::Loop& loop) {
  VectorLoopWriter(emission, loop).write();
}

}  // namespace ridge::codegen::cuda
