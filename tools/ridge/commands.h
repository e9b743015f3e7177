// The commands of `ridge`, one file each; each adds itself to the application.
#pragma once

namespace CLI {
class App;
}

namespace ridge::command {

void add_ops(CLI::App& app);
void add_knobs(CLI::App& app);
void add_devices(CLI::App& app);
void add_demo(CLI::App& app);
void add_repro(CLI::App& app);
void add_bisect(CLI::App& app);
void add_bench(CLI::App& app);
void add_products(CLI::App& app);
void add_roofline(CLI::App& app);
void add_sweep(CLI::App& app);
void add_explain(CLI::App& app);
void add_chat(CLI::App& app);
void add_embed(CLI::App& app);
void add_finetune(CLI::App& app);

}  // namespace ridge::command
