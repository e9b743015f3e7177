// Start-up: puts the layers and backends of this build in place, in order.
//
// Including <ridge/ridge.h> calls `start()` before the program's own statics are made; calling it
// again does nothing. It is the only place that knows which layers exist.
#pragma once

namespace ridge {

void start();

}  // namespace ridge
