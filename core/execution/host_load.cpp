#include "core/execution/host_load.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace tessera {
namespace {

struct Times {
  double busy = 0;
  double total = 0;
};

/// Reads the first line of /proc/stat: user nice system idle iowait irq softirq steal (proc(5)).
Times processor_times() {
  std::ifstream file("/proc/stat");
  std::string cpu;
  double ticks[8] = {};
  if (!(file >> cpu) || cpu != "cpu") return {};
  for (double& t : ticks)
    if (!(file >> t)) return {};
  Times times;
  for (int k = 0; k < 8; ++k) {
    times.total += ticks[k];
    if (k != 3 && k != 4) times.busy += ticks[k];
  }
  const double per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  times.busy /= per_second;
  times.total /= per_second;
  return times;
}

double own_time() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

HostLoad::HostLoad() : own_(own_time()) {
  const Times now = processor_times();
  busy_ = now.busy;
  total_ = now.total;
}

double HostLoad::others() const {
  const Times now = processor_times();
  const double elapsed = now.total - total_;
  if (!(elapsed > 0)) return 0;
  return std::clamp((now.busy - busy_ - (own_time() - own_)) / elapsed, 0.0, 1.0);
}

}  // namespace tessera
