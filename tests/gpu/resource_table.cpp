#include "tests/gpu/resource_table.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace ridge::golden {

std::string to_text(const std::vector<Resources>& kernels, const std::string& graph) {
  std::string text;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const Resources& r = kernels[i];
    text += fmt::format("{:<40} {:>5} {:>4} {:>7}\n", fmt::format("{}.{}", graph, i), r.threads,
                        r.registers, r.shared_bytes);
  }
  return text;
}

ResourceTable read_table(const std::filesystem::path& path) {
  ResourceTable table;
  std::ifstream file(path);
  std::string hash, name;
  char comma = 0;
  file >> hash >> name >> table.nvrtc_version >> comma;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Resources r;
    if (!(words >> name >> r.threads >> r.registers >> r.shared_bytes)) continue;
    table.rows[name.substr(0, name.rfind('.'))].push_back(r);
  }
  return table;
}

void write_table(const ResourceTable& table, const std::filesystem::path& path) {
  std::ofstream file(path);
  file << "# NVRTC " << table.nvrtc_version
       << ", sm_90a: graph and number of the kernel, threads, registers, bytes of shared memory\n";
  for (const auto& [graph, kernels] : table.rows) file << to_text(kernels, graph);
}

}  // namespace ridge::golden
