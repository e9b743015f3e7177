// A kernel over mapped tiles as CUDA C++ for sm_90a: arguments, shared memory, mbarriers, and a branch for each role.
#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/codegen/cuda/prelude.h"
#include "ridge/codegen/cuda/tiles_barriers.h"
#include "ridge/codegen/cuda/tiles_emission.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {
namespace {

using loop::as;
using loop::Tile;

constexpr int kArenaAlignment = 1024;  // of a tile with a swizzle of 128 bytes

class TileKernelWriter {
 public:
  TileKernelWriter(const TileElements& elements, const CudaTarget& target)
      : kernel_(elements.kernel), emission_(kernel_, target) {
    tiles_.plan = tiles_plan(kernel_);
    tiles_.axes = elements.axes;
    tiles_.buffers = elements.buffers;
    emission_.tiles = &tiles_;
    add_names();
  }

  CudaKernel write() {
    CudaKernel result;
    result.symbol = emission_.symbol;
    result.threads = tiles_.plan.warps * kWarp;
    result.blocks = blocks();
    result.size_bits = emission_.target.fits_32_bits ? 32 : 64;
    result.dynamic_shared_bytes = tiles_.plan.shared_bytes;
    result.persistent_blocks_per_sm = tiles_.plan.blocks_per_sm;
    for (const loop::View& view : kernel_.views) result.views.push_back(tensor_view(view));
    {
      const auto indent = emission_.out.indent();
      write_shared_memory();
      write_start();
      write_roles();
    }
    result.sets_status = emission_.sets_status;
    const std::string status = result.sets_status ? "  int wrong = 0;\n" : "";
    const std::string tail =
        result.sets_status ? "  if (wrong != 0) ridge::set_status(status, wrong);\n" : "";
    std::string products;
    for (const auto& [name, text] : tiles_.products) products += '\n' + text;
    const std::string head = signature(result);
    result.source = concat(comment(), prelude_text(emission_.used), "\nnamespace ridge {\n",
                           "#ifndef RIDGE_ON_HOST", products, "#endif\n}  // namespace ridge\n\n",
                           head, status, emission_.out.str(), tail, "}\n");
    return result;
  }

 private:
  void add_names() {
    const auto name_axis = [&](int axis, std::string_view wanted, int64_t extent) {
      emission_.axes[static_cast<size_t>(axis)] = emission_.names.add(wanted);
      emission_.ranges.set_axis(axis, Expr(extent));
    };
    name_axis(tiles_.axes.thread, "thread", loop::kWarpgroupWarps * kWarp);
    name_axis(tiles_.axes.row, "row", 64);
    name_axis(tiles_.axes.quad, "quad", 4);
    tiles_.thread = emission_.axes[static_cast<size_t>(tiles_.axes.thread)];
    arena_ = emission_.names.add("shared_bytes");
    shared_ = emission_.names.add("shared");
    warp_ = emission_.names.add("warp");
    for (size_t i = 0; i < kernel_.tiles.size(); ++i) {
      const int buffer = tiles_.buffers[i];
      const bool is_array = buffer >= 0;
      tiles_.tiles.push_back(is_array ? emission_.buffers[static_cast<size_t>(buffer)]
                                      : emission_.names.add(kernel_.tiles[i].name));
    }
    for (const loop::Ring& ring : kernel_.rings) {
      tiles_.rings.push_back(emission_.names.add(ring.name));
      tiles_.full.push_back(emission_.names.add(ring.name + "_full"));
      tiles_.empty.push_back(emission_.names.add(ring.name + "_empty"));
    }
    for (const loop::View& view : kernel_.views)
      tiles_.views.push_back(emission_.names.add(view.name));
    tiles_.ring_slots.resize(kernel_.rings.size());
    tiles_.held.resize(kernel_.rings.size());
    tiles_.may_hold.resize(kernel_.rings.size());
    tiles_.tile_slots.resize(kernel_.tiles.size());
    tiles_.is_set.resize(kernel_.tiles.size());
  }

  Expr blocks() const {
    Expr count(1);
    bool is_first = true;
    for_each_statement(kernel_.body, [&](const loop::Statement& statement) {
      const auto* const tiles = as<loop::TileLoop>(statement);
      if (tiles == nullptr || !std::exchange(is_first, false)) return;
      for (const Expr& extent : tiles->extents) count = count * extent;
    });
    return expr::simplify(count);
  }
  TensorView tensor_view(const loop::View& view) const {
    return {.buffer = view.buffer,
            .dtype = emission_.buffer(view.buffer).dtype,
            .first = view.first,
            .extents = view.extents,
            .strides = view.strides,
            .box = view.box,
            .swizzle_bytes = view.swizzle};
  }

  std::string comment() const {
    TextWriter text;
    text.line("// ", kernel_.name);
    for (const std::string& note : kernel_.notes) text.line(note.empty() ? "//" : "// " + note);
    for (const std::string& note : emission_.target.notes) {
      text.line(note.empty() ? "//" : "// " + note);
    }
    return text.str();
  }

  // By pointer go buffers that threads access themselves.
  std::set<int> pointers() const {
    std::set<int> found;
    for_each_statement(kernel_.body, [&](const loop::Statement& statement) {
      if (const auto* const store = as<loop::Store>(statement)) found.insert(store->buffer);
      for_each_expression(statement, [&](const Expr& e) {
        expr::walk(e, [&](const Expr& node) {
          if (node->kind == expr::Kind::load) found.insert(node->index);
        });
      });
    });
    return found;
  }

  std::string signature(CudaKernel& result) const {
    using Kind = KernelArgument::Kind;
    std::vector<std::string> texts;
    for (size_t i = 0; i < kernel_.views.size(); ++i) {
      result.arguments.push_back({Kind::tensor_map, static_cast<int>(i)});
      texts.push_back(concat("const __grid_constant__ ridge::TensorMap ", tiles_.views[i]));
    }
    // Not __restrict__: what the compiler knows to be constant it loads for all parts of an epilogue at once, into
    // registers that are not there.
    const std::set<int> used = pointers();
    for (int i = 0; i < static_cast<int>(kernel_.argument_count()); ++i) {
      if (!used.contains(i)) continue;
      result.arguments.push_back({Kind::pointer, i});
      const loop::Buffer& buffer = emission_.buffer(i);
      texts.push_back(concat(buffer.access == loop::Access::in ? "const " : "",
                             element_type(buffer.dtype), "* ",
                             emission_.buffers[static_cast<size_t>(i)]));
    }
    for (size_t i = 0; i < kernel_.sizes.size(); ++i) {
      result.arguments.push_back({Kind::size, static_cast<int>(i)});
      texts.push_back(concat(result.size_bits == 32 ? "int " : "long long ", emission_.sizes[i]));
    }
    if (result.sets_status) texts.emplace_back("int* status");
    return concat("extern \"C\" __global__ void __launch_bounds__(", result.threads, ", ",
                  tiles_.plan.blocks_per_sm, ")\n", result.symbol, "(\n    ",
                  join(texts, ",\n    "), ") {\n");
  }

  void write_shared_memory() {
    emission_.use("shared_address");
    emission_.out.line("extern __shared__ __align__(", kArenaAlignment, ") unsigned char ", arena_,
                       "[];");
    emission_.out.line("const unsigned ", shared_, " = ridge::shared_address(", arena_, ");");
    for (size_t i = 0; i < kernel_.tiles.size(); ++i) {
      const Tile& tile = kernel_.tiles[i];
      if (loop::is_shared(tile.layout) && tile.role.empty()) write_shared_tile(i);
    }
    for (size_t i = 0; i < kernel_.rings.size(); ++i) {
      const auto declare = [&](const std::string& name, int64_t offset) {
        emission_.out.line("ridge::Mbarrier* const ", name,
                           " = reinterpret_cast<ridge::Mbarrier*>(", arena_, " + ", offset, ");");
      };
      emission_.use("mbarrier");
      declare(tiles_.full[i], tiles_.plan.rings[i].full_offset);
      declare(tiles_.empty[i], tiles_.plan.rings[i].empty_offset);
    }
  }
  void write_shared_tile(size_t i) {
    const Tile& tile = kernel_.tiles[i];
    const TilePlacement& shared = tiles_.plan.tiles[i];
    const std::string instance =
        shared.instances > 1 ? concat(" + ", shared.bytes * shared.slots, " * ", tiles_.instance)
                             : "";
    const std::string note =
        shared.slots > 1 ? concat("  // ", shared.slots, " slots of ", shared.bytes, " bytes") : "";
    if (tiles_.buffers[i] >= 0) {
      const std::string_view type = element_type(tile.dtype);
      emission_.out.line(type, "* const ", tiles_.tiles[i], " = reinterpret_cast<", type, "*>(",
                         arena_, " + ", shared.offset, instance, ");", note);
    } else {
      emission_.out.line("const unsigned ", tiles_.tiles[i], " = ", shared_, " + ", shared.offset,
                         instance, ';', note);
    }
  }

  // One thread initializes mbarriers, and all see them.
  void write_start() {
    emission_.use("uniform");
    emission_.out.line("const int ", warp_, " = ridge::uniform(int(threadIdx.x) / ", kWarp, ");");
    if (kernel_.rings.empty() && kernel_.views.empty()) return;
    emission_.out.line("if (threadIdx.x == 0) {");
    {
      const auto indent = emission_.out.indent();
      if (!kernel_.views.empty()) emission_.use("tensor_map");
      for (const std::string& view : tiles_.views) {
        emission_.out.line("ridge::prefetch_tensor_map(&", view, ");");
      }
      for (size_t i = 0; i < kernel_.rings.size(); ++i) {
        emission_.out.line("for (int slot = 0; slot < ", kernel_.rings[i].slots, "; ++slot) {");
        emission_.out.line("  ridge::mbarrier_init(&", tiles_.full[i], "[slot], ",
                           tiles_.plan.rings[i].full_arrivals, ");");
        emission_.out.line("  ridge::mbarrier_init(&", tiles_.empty[i], "[slot], ",
                           tiles_.plan.rings[i].empty_arrivals, ");");
        emission_.out.line("}");
      }
      if (!kernel_.rings.empty()) emission_.out.line("ridge::fence_mbarrier_init();");
    }
    emission_.out.line("}");
    emission_.out.line("__syncthreads();");
  }

  // Warps of one warpgroup change their registers together, whatever their roles.
  void write_roles() {
    const auto& roles = tiles_.plan.roles;
    const bool has_warps = roles.back().role->warps == 1;
    const auto first_warp_role =
        std::ranges::find_if(roles, [](const RolePlan& plan) { return plan.role->warps == 1; });
    for (auto role = roles.begin(); role != first_warp_role; ++role) {
      const bool is_last = !has_warps && role + 1 == roles.end();
      open_role(*role, role == roles.begin(), is_last);
      write_role(*role);
    }
    if (has_warps) {
      const bool is_alone = first_warp_role == roles.begin();
      const bool is_single = first_warp_role + 1 == roles.end();
      if (is_single) {
        emission_.out.line(is_alone ? "{" : "} else {", "  // ", first_warp_role->role->name);
        write_role(*first_warp_role);
      } else {
        emission_.out.line(is_alone ? "{" : "} else {");
        const auto indent = emission_.out.indent();
        {
          write_registers(first_warp_role->role->registers);
          for (auto role = first_warp_role; role != roles.end(); ++role) {
            open_role(*role, role == first_warp_role, role + 1 == roles.end());
            write_role(*role, false);
          }
          emission_.out.line("}");
        }
      }
    }
    emission_.out.line("}");
  }
  void open_role(const RolePlan& role, bool is_first, bool is_last) {
    const std::string what = concat("  // ", role.role->name, ": ", role.role->instances,
                                    role.role->warps == 1 ? " warps" : " warpgroups");
    const std::string condition =
        is_last ? "" : concat("if (", warp_, " < ", role.first_warp + role.warps, ") ");
    emission_.out.line(is_first ? "" : "} else ", condition, "{", what);
  }

  void write_registers(int registers) {
    if (registers == 0 || registers == tiles_.plan.launch_registers) return;
    emission_.use("registers_of_role");
    emission_.out.line("ridge::", registers > tiles_.plan.launch_registers ? "take" : "give",
                       "_registers<", registers, ">();");
  }

  void write_role(const RolePlan& plan, bool changes_registers = true) {
    const loop::Role& role = *plan.role;
    const auto indent = emission_.out.indent();
    const Names names = emission_.names;  // those of a role are its own
    tiles_.role = &plan;
    if (changes_registers) write_registers(role.registers);
    tiles_.instance = "0";
    if (role.index) {
      tiles_.instance = emission_.axes[static_cast<size_t>(*role.index)];
      emission_.ranges.set_axis(*role.index, Expr(role.instances));
    } else if (role.instances > 1) {
      tiles_.instance = emission_.names.add(role.name + "_number");
    }
    if (tiles_.instance != "0") {
      const std::string number =
          plan.first_warp == 0 ? warp_ : concat("(", warp_, " - ", plan.first_warp, ")");
      emission_.out.line("[[maybe_unused]] const int ", tiles_.instance, " = ", number,
                         role.warps == 1 ? "" : concat(" / ", role.warps), ';');
    }
    write_thread(plan);
    for (size_t i = 0; i < kernel_.tiles.size(); ++i) {
      if (kernel_.tiles[i].role == role.name) declare_tile(i, role);
    }
    for (size_t i = 0; i < kernel_.rings.size(); ++i) declare_ring(static_cast<int>(i), role);
    write_body(emission_, role.body);
    for (size_t i = 0; i < kernel_.rings.size(); ++i) {
      give_back_held(emission_, static_cast<int>(i));
      tiles_.held[i].clear();
    }
    emission_.names = names;
  }
  void write_thread(const RolePlan& plan) {
    emission_.use("accumulator_place");
    emission_.out.line("[[maybe_unused]] const int ", tiles_.thread, " = int(threadIdx.x) % ",
                       plan.threads, ';');
    if (plan.role->warps == 1) return;
    emission_.out.line("[[maybe_unused]] const int ", axis(tiles_.axes.row),
                       " = ridge::accumulator_row(", tiles_.thread, ", 0), ",
                       axis(tiles_.axes.quad), " = ", tiles_.thread, " % 4;");
  }
  const std::string& axis(int number) const { return emission_.axes[static_cast<size_t>(number)]; }

  void declare_tile(size_t i, const loop::Role& role) {
    const Tile& tile = kernel_.tiles[i];
    if (loop::is_shared(tile.layout)) {
      write_shared_tile(i);
      if (tile.slots == 1) return;
      tiles_.tile_slots[i] = emission_.names.add(tile.name + "_slot");
      return emission_.out.line("unsigned ", tiles_.tile_slots[i], " = ", tile.slots - 1, ';');
    }
    const std::string_view type = tile.layout == loop::TileLayout::operand ? "unsigned " : "float ";
    emission_.out.line(type, tiles_.tiles[i], '[', tile_registers(tile), "];");
    bool is_cleared = false;
    for_each_statement(role.body, [&](const loop::Statement& statement) {
      const auto* const fill = as<loop::FillTile>(statement);
      is_cleared |= fill != nullptr && fill->tile == static_cast<int>(i);
    });
    if (!is_cleared) return;
    tiles_.is_set[i] = emission_.names.add(tile.name + "_is_set");
    emission_.out.line("[[maybe_unused]] int ", tiles_.is_set[i], " = 0;");
  }
  void declare_ring(int ring, const loop::Role& role) {
    bool is_used = false, lags = false;
    for_each_statement(role.body, [&](const loop::Statement& statement) {
      const auto* const produce = as<loop::Produce>(statement);
      const auto* const consume = as<loop::Consume>(statement);
      is_used |= (produce != nullptr && produce->ring == ring) ||
                 (consume != nullptr && consume->ring == ring);
      lags |= consume != nullptr && consume->ring == ring && consume->lag > 0;
    });
    if (!is_used) return;
    const auto index = static_cast<size_t>(ring);
    emission_.out.line("unsigned ", tiles_.rings[index], " = 0;");
    if (!lags) return;
    tiles_.may_hold[index] = false;
    tiles_.held[index] = emission_.names.add(kernel_.rings[index].name + "_held");
    emission_.out.line("unsigned ", tiles_.held[index], " = 0;");
  }

  const loop::Kernel& kernel_;
  Emission emission_;
  TileEmission tiles_;
  std::string arena_, shared_, warp_;
};

}  // namespace

CudaKernel write_tile_kernel(const loop::Kernel& kernel, const CudaTarget& target) {
  loop::Kernel with_barriers = kernel;
  add_tile_barriers(with_barriers);
  const TileElements elements = in_elements(std::move(with_barriers));
  return TileKernelWriter(elements, target).write();
}

}  // namespace ridge::codegen::cuda
