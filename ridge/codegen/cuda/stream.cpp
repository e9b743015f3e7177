#include "ridge/codegen/cuda/stream.h"

#include <algorithm>

#include "ridge/codegen/cuda/emission.h"
#include "ridge/codegen/cuda/statement.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::codegen::cuda {
namespace {

std::string first_of(Emission& emission, const loop::Fetch& fetch) {
  return concat("&", emission.buffers[static_cast<size_t>(fetch.from)], "[",
                write_index(emission, fetch.first), "]");
}

// What the warp that fetches does: the loops around, and of the rows only where they lie.
void write_fetches(Emission& emission, const loop::Body& body) {
  const StreamPlan& stream = *emission.stream;
  for (const loop::Statement& statement : body) {
    if (!stream.is_inside(statement)) continue;
    if (const auto* const branch = as<loop::If>(statement)) {
      emission.out.line("if (", condition_text(emission, branch->condition), ") {");
      {
        const auto indent = emission.out.indent();
        write_fetches(emission, branch->then);
      }
      emission.out.line("}");
      continue;
    }
    const auto* const loop = as<loop::Loop>(statement);
    open_loop(emission, *loop);
    {
      const auto indent = emission.out.indent();
      if (loop != stream.loop) {
        write_fetches(emission, loop->body);
      } else {
        std::vector<std::string> runs;
        for (size_t i = 0; i < stream.fetches.size(); ++i) {
          const loop::Fetch& fetch = stream.fetches[i];
          runs.push_back(concat("ridge::fetched_run(", stream.rooms[i], ", ",
                                first_of(emission, fetch), ", ", write_index(emission, fetch.count),
                                ")"));
        }
        emission.out.line("stream.fetch_row(", join(runs, ",\n                     "), ");");
      }
    }
    close_loop(emission);
  }
}

class StreamWriter {
 public:
  StreamWriter(Emission& emission, const loop::Loop& loop)
      : emission_(emission),
        stream_(*emission.stream),
        loop_(loop),
        row_(emission.axes[static_cast<size_t>(loop.axis)]) {}

  void write() {
    const std::string round = emission_.names.add("round");
    emission_.facts.set_axis(loop_.axis, loop_.extent);
    emission_.axis_types[static_cast<size_t>(loop_.axis)] = CppType::int32;
    const std::string rows = write_as(emission_, loop_.extent, f32, CppType::int32);
    const std::string end = emission_.names.add(concat(row_, "_end"));
    emission_.out.line("const int ", end, " = ", rows, ";");
    emission_.out.line("for (int ", round, " = 0; ", round, " < ", end, " + ", stream_.lag, "; ++",
                       round, ") {");
    ++emission_.loop_depth;
    {
      const auto indent = emission_.out.indent();
      write_half(concat(round, " < ", end), round, [&] { write_first(); });
      write_half(concat(round, " >= ", stream_.lag), concat(round, " - ", stream_.lag),
                 [&] { write_second(); });
    }
    close_loop(emission_);
  }

 private:
  template <class WriteHalf>
  void write_half(const std::string& condition, const std::string& row, const WriteHalf& half) {
    emission_.out.line("if (", condition, ") {");
    {
      const auto indent = emission_.out.indent();
      emission_.out.line("const int ", row_, " = ", row, ";");
      half();
    }
    emission_.out.line("}");
  }

  void write_first() {
    emission_.out.line("stream.begin_chunk(0);");
    write_rooms("begun");
    for (size_t i = stream_.fetches.size(); i < stream_.first_across; ++i) {
      const std::optional<size_t> chunk = chunk_of(i, stream_.first_loops);
      if (chunk && *chunk > 0) emission_.out.line("stream.begin_chunk(", *chunk, ");");
      write_statement(emission_, loop_.body[i]);
    }
    std::vector<std::string> sums;
    for (const int sum : stream_.sums) sums.push_back(emission_.text_of(sum));
    const std::string told = emission_.names.add("told");
    emission_.out.line("const float ", told, "[] = {", join(sums, ", "), "};");
    emission_.out.line("stream.tell(", told, ");");
  }

  void write_second() {
    write_rooms("ended");
    const std::string heard = emission_.names.add("heard");
    emission_.out.line("float ", heard, "[", stream_.sums.size(), "];");
    emission_.out.line("stream.hear(", heard, ");");
    for (size_t i = 0; i < stream_.sums.size(); ++i) {
      std::string& own = emission_.text_of(stream_.sums[i]);
      own = emission_.names.add(value_name(emission_, stream_.sums[i]));
      emission_.out.line("const float ", own, " = ", heard, "[", i, "];");
    }
    // What the row asks for itself is asked again, since the first half is over.
    for (size_t i = stream_.fetches.size(); i < stream_.first_across; ++i) {
      const auto* const let = as<loop::Let>(loop_.body[i]);
      if (let == nullptr) continue;
      emission_.text_of(let->value).clear();
      write_statement(emission_, loop_.body[i]);
    }
    for (size_t i = stream_.behind_across; i < loop_.body.size(); ++i) {
      write_statement(emission_, loop_.body[i]);
      const std::optional<size_t> chunk = chunk_of(i, stream_.second_loops);
      if (chunk) emission_.out.line("stream.end_chunk(", *chunk, ");");
    }
    if (stream_.second_loops.empty()) emission_.out.line("stream.end_chunk(0);");
    emission_.out.line("stream.end_row();");
  }
  static std::optional<size_t> chunk_of(size_t statement, const std::vector<size_t>& loops) {
    const auto found = std::ranges::find(loops, statement);
    if (found == loops.end()) return std::nullopt;
    return static_cast<size_t>(found - loops.begin());
  }

  void write_rooms(std::string_view which) {
    for (size_t i = 0; i < stream_.fetches.size(); ++i) {
      const loop::Fetch& fetch = stream_.fetches[i];
      emission_.out.line("const auto* const ", emission_.buffers[static_cast<size_t>(fetch.buffer)],
                         " = stream.", which, "(", stream_.rooms[i], ", ",
                         first_of(emission_, fetch), ");");
    }
  }

  Emission& emission_;
  const StreamPlan& stream_;
  const loop::Loop& loop_;
  std::string row_;
};

}  // namespace

void write_streaming(Emission& emission, const loop::Body& program) {
  const StreamPlan& stream = *emission.stream;
  emission.use("stream");
  const int threads = stream.warps * 32;
  emission.out.line(stream.type(), " stream(", emission.arena, ", &stream_shared);");
  emission.out.line("if (threadIdx.x == ", threads, ") {");
  {
    const auto indent = emission.out.indent();
    write_fetches(emission, program);
  }
  emission.out.line("} else if (threadIdx.x < ", threads, ") {");
  {
    const auto indent = emission.out.indent();
    write_body(emission, program);
  }
  emission.out.line("}");
  emission.out.line("stream.meet();");
}

void write_stream(Emission& emission, const loop::Loop& loop) {
  StreamWriter(emission, loop).write();
}

void write_fetch(Emission& emission, const loop::Fetch& fetch) {
  const std::string at = emission.names.add("at");
  const auto of = [&](int buffer) { return emission.buffers[static_cast<size_t>(buffer)]; };
  emission.out.line("__syncthreads();");
  emission.out.line("for (int ", at, " = int(threadIdx.x); ", at, " < ",
                    write_index(emission, fetch.count), "; ", at,
                    " += ", *loop::block_threads(emission.kernel), ") {");
  {
    const auto indent = emission.out.indent();
    emission.out.line(of(fetch.buffer), "[", at, "] = ", of(fetch.from), "[",
                      write_index(emission, fetch.first), " + ", at, "];");
  }
  emission.out.line("}");
  emission.out.line("__syncthreads();");
}

}  // namespace ridge::codegen::cuda
