#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/codegen/llvm/body_weight.h"
#include "ridge/codegen/llvm/generate.h"
#include "ridge/codegen/llvm/tiles.h"

namespace ridge::codegen {
namespace {

using expr::Expr;

bool holds_axis_of(const Expr& e, const std::vector<int>& axes) {
  bool result = false;
  expr::walk(e, [&](const Expr& node) {
    result |= node->kind == expr::Kind::axis && std::ranges::count(axes, node->index) > 0;
  });
  return result;
}

std::string wrong_place(const loop::Body& body) {
  std::string problem;
  visit_statements(body, [&](const loop::Statement& statement) {
    if (std::holds_alternative<loop::Barrier>(statement.kind)) problem = "it waits at a barrier";
    if (std::holds_alternative<loop::CollectiveReduce>(statement.kind))
      problem = "its threads combine values";
    const auto* loop = std::get_if<loop::Loop>(&statement.kind);
    if (loop != nullptr && loop->place >= loop::Place::gpu_block) {
      problem = concat("a loop is placed at ", loop::name(loop->place));
    }
  });
  return problem;
}

std::string wrong_nest(const loop::Loop& outermost) {
  std::vector<int> axes;
  for (const loop::Loop* loop = &outermost;;) {
    if (holds_axis_of(loop->extent, axes)) return "the length of a thread loop changes in another";
    axes.push_back(loop->axis);
    if (loop->body.size() != 1) return {};
    loop = std::get_if<loop::Loop>(&loop->body[0].kind);
    if (loop == nullptr || loop->place != loop::Place::cpu_thread) return {};
  }
}

}  // namespace

Decision can_generate(const loop::Kernel& kernel) {
  if (kernel.has_tiles()) {
    if (Decision can = can_hold_tiles(kernel); !can) return can;
  }
  for (const loop::Buffer& buffer : kernel.buffers) {
    if (buffer.space != loop::Space::global) {
      return Decision::no(concat("buffer ", buffer.name, " is that of a GPU block or thread"));
    }
    if (is_storage_only(buffer.dtype)) {
      return Decision::no(
          concat("elements of buffer ", buffer.name, " are storage-only: ", name(buffer.dtype)));
    }
  }
  if (std::string problem = wrong_place(kernel.body); !problem.empty()) {
    return Decision::no(std::move(problem));
  }
  for (const loop::Statement& statement : kernel.body) {
    const auto* loop = std::get_if<loop::Loop>(&statement.kind);
    if (loop == nullptr || loop->place != loop::Place::cpu_thread) continue;
    if (std::string problem = wrong_nest(*loop); !problem.empty()) {
      return Decision::no(std::move(problem));
    }
  }
  return Decision::yes("loops, types and places are those of a CPU");
}

}  // namespace ridge::codegen
