#include "ridge/codegen/cuda/row_pipeline.h"

#include <algorithm>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::codegen::cuda {
namespace {

std::string first_of(Emission& emission, const loop::BulkCopy& copy) {
  return concat("&", emission.buffers[static_cast<size_t>(copy.from)], "[",
                write_index(emission, copy.first), "]");
}

// The producer: the loops around, and the copies of each row.
void write_producer(Emission& emission, const loop::Body& body) {
  const PipelinePlan& pipeline = *emission.pipeline;
  for (const loop::Statement& statement : body) {
    if (!pipeline.is_inside(statement)) continue;
    if (const auto* const branch = as<loop::If>(statement)) {
      emission.out.line("if (", condition_text(emission, branch->condition), ") {");
      {
        const auto indent = emission.out.indent();
        write_producer(emission, branch->then);
      }
      emission.out.line("}");
      continue;
    }
    const auto* const loop = as<loop::Loop>(statement);
    open_loop(emission, *loop);
    {
      const auto indent = emission.out.indent();
      if (loop != pipeline.loop) {
        write_producer(emission, loop->body);
      } else {
        std::vector<std::string> runs;
        for (size_t i = 0; i < pipeline.copies.size(); ++i) {
          const loop::BulkCopy& copy = pipeline.copies[i];
          runs.push_back(concat("ridge::row_copy(", pipeline.offsets[i], ", ",
                                first_of(emission, copy), ", ", write_index(emission, copy.count),
                                ")"));
        }
        emission.out.line("pipeline.produce_row(", join(runs, ",\n                     "), ");");
      }
    }
    close_loop(emission);
  }
}

class PipelineWriter {
 public:
  PipelineWriter(Emission& emission, const loop::Loop& loop)
      : emission_(emission),
        pipeline_(*emission.pipeline),
        loop_(loop),
        row_(emission.axes[static_cast<size_t>(loop.axis)]) {}

  void write() {
    const std::string round = emission_.names.add("round");
    emission_.ranges.set_axis(loop_.axis, loop_.extent);
    emission_.axis_types[static_cast<size_t>(loop_.axis)] = CppType::int32;
    const std::string rows = write_as(emission_, loop_.extent, f32, CppType::int32);
    const std::string end = emission_.names.add(concat(row_, "_end"));
    emission_.out.line("const int ", end, " = ", rows, ";");
    emission_.out.line("for (int ", round, " = 0; ", round, " < ", end, " + ", pipeline_.skew,
                       "; ++", round, ") {");
    ++emission_.loop_depth;
    {
      const auto indent = emission_.out.indent();
      write_phase_of_row(concat(round, " < ", end), round, [&] { write_reduce_phase(); });
      write_phase_of_row(concat(round, " >= ", pipeline_.skew),
                         concat(round, " - ", pipeline_.skew), [&] { write_apply_phase(); });
    }
    close_loop(emission_);
  }

 private:
  template <class WritePhase>
  void write_phase_of_row(const std::string& condition, const std::string& row,
                          const WritePhase& write_phase) {
    emission_.out.line("if (", condition, ") {");
    {
      const auto indent = emission_.out.indent();
      emission_.out.line("const int ", row_, " = ", row, ";");
      write_phase();
    }
    emission_.out.line("}");
  }

  void write_reduce_phase() {
    emission_.out.line("pipeline.wait_chunk(0);");
    write_row_pointers("reduce_row");
    for (size_t i = pipeline_.copies.size(); i < pipeline_.first_reduction; ++i) {
      const std::optional<size_t> chunk = chunk_of(i, pipeline_.reduce_loops);
      if (chunk && *chunk > 0) emission_.out.line("pipeline.wait_chunk(", *chunk, ");");
      write_statement(emission_, loop_.body[i]);
    }
    std::vector<std::string> sums;
    for (const int sum : pipeline_.sums) sums.push_back(emission_.text_of(sum));
    const std::string partials = emission_.names.add("partials");
    emission_.out.line("const float ", partials, "[] = {", join(sums, ", "), "};");
    emission_.out.line("pipeline.send_partials(", partials, ");");
  }

  void write_apply_phase() {
    write_row_pointers("apply_row");
    const std::string sums = emission_.names.add("sums");
    emission_.out.line("float ", sums, "[", pipeline_.sums.size(), "];");
    emission_.out.line("pipeline.receive_sums(", sums, ");");
    for (size_t i = 0; i < pipeline_.sums.size(); ++i) {
      std::string& own = emission_.text_of(pipeline_.sums[i]);
      own = emission_.names.add(value_name(emission_, pipeline_.sums[i]));
      emission_.out.line("const float ", own, " = ", sums, "[", i, "];");
    }
    // Values of the row are computed again: those of the reduce phase are out of scope.
    for (size_t i = pipeline_.copies.size(); i < pipeline_.first_reduction; ++i) {
      const auto* const let = as<loop::Let>(loop_.body[i]);
      if (let == nullptr) continue;
      emission_.text_of(let->value).clear();
      write_statement(emission_, loop_.body[i]);
    }
    for (size_t i = pipeline_.after_reductions; i < loop_.body.size(); ++i) {
      write_statement(emission_, loop_.body[i]);
      const std::optional<size_t> chunk = chunk_of(i, pipeline_.apply_loops);
      if (chunk) emission_.out.line("pipeline.release_chunk(", *chunk, ");");
    }
    if (pipeline_.apply_loops.empty()) emission_.out.line("pipeline.release_chunk(0);");
    emission_.out.line("pipeline.release_row();");
  }
  static std::optional<size_t> chunk_of(size_t statement, const std::vector<size_t>& loops) {
    const auto found = std::ranges::find(loops, statement);
    if (found == loops.end()) return std::nullopt;
    return static_cast<size_t>(found - loops.begin());
  }

  void write_row_pointers(std::string_view which) {
    for (size_t i = 0; i < pipeline_.copies.size(); ++i) {
      const loop::BulkCopy& copy = pipeline_.copies[i];
      emission_.out.line("const auto* const ", emission_.buffers[static_cast<size_t>(copy.buffer)],
                         " = pipeline.", which, "(", pipeline_.offsets[i], ", ",
                         first_of(emission_, copy), ");");
    }
  }

  Emission& emission_;
  const PipelinePlan& pipeline_;
  const loop::Loop& loop_;
  std::string row_;
};

}  // namespace

void write_pipelined_block(Emission& emission, const loop::Body& program) {
  const PipelinePlan& pipeline = *emission.pipeline;
  emission.use("row_pipeline");
  const int threads = pipeline.warps * 32;
  emission.out.line(pipeline.type(), " pipeline(", emission.arena, ", &pipeline_shared);");
  emission.out.line("if (threadIdx.x == ", threads, ") {");
  {
    const auto indent = emission.out.indent();
    write_producer(emission, program);
  }
  emission.out.line("} else if (threadIdx.x < ", threads, ") {");
  {
    const auto indent = emission.out.indent();
    write_body(emission, program);
  }
  emission.out.line("}");
  emission.out.line("pipeline.sync_cluster();");
}

void write_pipeline_loop(Emission& emission, const loop::Loop& loop) {
  PipelineWriter(emission, loop).write();
}

void write_bulk_copy(Emission& emission, const loop::BulkCopy& copy) {
  const std::string at = emission.names.add("at");
  const auto of = [&](int buffer) { return emission.buffers[static_cast<size_t>(buffer)]; };
  emission.out.line("__syncthreads();");
  emission.out.line("for (int ", at, " = int(threadIdx.x); ", at, " < ",
                    write_index(emission, copy.count), "; ", at,
                    " += ", *loop::block_threads(emission.kernel), ") {");
  {
    const auto indent = emission.out.indent();
    emission.out.line(of(copy.buffer), "[", at, "] = ", of(copy.from), "[",
                      write_index(emission, copy.first), " + ", at, "];");
  }
  emission.out.line("}");
  emission.out.line("__syncthreads();");
}

}  // namespace ridge::codegen::cuda
