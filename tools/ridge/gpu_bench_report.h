// `ridge bench 'gpu.*'` as a table and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench_run.h"
#include "gpu_bench_cases.h"

namespace ridge::command {

struct GpuBenchOptions {
  std::string sheet{};  // empty: that of the GPU
  bool as_json = false;
  bool has_pairs = false;
};

struct GpuSummary {
  nlohmann::json list = nlohmann::json::array();
  bool holds = true;     // the model, and the plain sweep it is all judged by
  bool is_right = true;  // every case ran, and computed what the reference does
};

// Error{device} where there is no GPU. The table goes to stdout unless JSON is wanted; what it amounts
// to then to stderr.
GpuSummary run_gpu_bench(const std::vector<GpuCase>& cases, const GpuBenchOptions& options);

void print_ranking(std::FILE* to, const Ranking& ranking);
// Error{io} or Error{parse} where the file is not what bench/peers.py writes.
nlohmann::json read_peers(const std::string& path);
void merge_peers(nlohmann::json& list, const nlohmann::json& peers);

}  // namespace ridge::command
