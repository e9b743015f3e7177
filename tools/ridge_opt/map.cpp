#include "map.h"

#include <iostream>

#include "ridge/cost/sheets.h"
#include "ridge/mapping/passes/run.h"

namespace ridge::opt {

std::string mapped(std::string_view text, std::string_view file, std::string_view mapping,
                   std::string_view device) {
  const loop::DeviceLimits limits = cost::device_limits(cost::find_sheet(device).get());
  mapping::PassesContext context;
  loop::Kernel kernel =
      run_mapping_passes(loop::read(text, file), mapping::parse(mapping).mapping, limits, context);
  for (size_t i = 0; i < context.decisions.size(); ++i) {
    if (!context.decisions[i]) {
      std::cerr << context.runs[i].name << ": " << context.decisions[i].reason << "\n";
    }
  }
  return loop::to_text(kernel);
}

}  // namespace ridge::opt
