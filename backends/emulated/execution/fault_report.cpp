#include "backends/emulated/execution/fault_report.hpp"

#include "backends/emulated/execution/builtin_variables.hpp"
#include "backends/emulated/execution/device_memory.hpp"

#include <unistd.h>

namespace tessera::emulated {
namespace {

const std::string* running = nullptr;  // name of the kernel
struct sigaction before_report = {};

void report(int, siginfo_t* info, void*) {
  const std::string text = "emulated device: '" + *running + "', block " +
                           std::to_string(blockIdx.x) + ", thread " + std::to_string(threadIdx.x) +
                           ": access to " + text_of_address(info->si_addr) + "\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  // The access is repeated, and handled as before.
  sigaction(SIGSEGV, &before_report, nullptr);
}

}  // namespace

FaultReport::FaultReport(const std::string& kernel) : outer_(running) {
  running = &kernel;
  struct sigaction mine = {};
  mine.sa_sigaction = report;
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &mine, &former_);
  if (outer_ == nullptr) before_report = former_;
}

FaultReport::~FaultReport() {
  running = outer_;
  sigaction(SIGSEGV, &former_, nullptr);
}

}  // namespace tessera::emulated
