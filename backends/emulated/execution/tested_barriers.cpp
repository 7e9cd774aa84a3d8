#include "backends/emulated/execution/tested_barriers.hpp"

#include "backends/emulated/execution/sanitizers.hpp"

#include <cstdlib>
#include <fstream>

namespace tessera::emulated {
namespace {

std::string of_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

TestedBarriers::TestedBarriers()
    : file_(of_environment("TESSERA_EMULATED_BARRIERS")),
      skipped_(of_environment("TESSERA_EMULATED_SKIP")) {
  is_on_ = !file_.empty() || !skipped_.empty();
}

TestedBarriers::~TestedBarriers() {
  if (file_.empty()) return;
  std::ofstream out(file_);
  for (const auto& [place, what] : reached_) {
    out << place.first << ':' << place.second << '\t' << what.first << '\t';
    const char* between = "";
    for (const std::string& kernel : what.second) {
      out << between << kernel;
      between = ", ";
    }
    out << '\n';
  }
}

bool TestedBarriers::look_up(const char* operation, const std::source_location& where,
                             const std::string& kernel) {
  [[maybe_unused]] const UnseenAccesses unseen;
  if (!file_.empty()) {
    auto& [name, kernels] = reached_[{where.file_name(), where.line()}];
    name = operation;
    kernels.insert(kernel);
  }
  if (skipped_.empty()) return false;
  const std::string place = std::string(where.file_name()) + ":" + std::to_string(where.line());
  return place.ends_with(skipped_);
}

}  // namespace tessera::emulated
