#include "apps/tessera/case_run.hpp"

#include <fmt/format.h>

namespace tessera::command_line {

std::string CaseRun::failure(const Error& error) {
  return fmt::format("after step {}: {}", step(), error.what());
}

std::unique_ptr<CaseRun> make_case_run(const cases::Case& c) {
  const auto found = case_runs().find(c.kind);
  if (found != case_runs().end()) return found->second(c);
  std::vector<std::string> kinds;
  for (const auto& [kind, make] : case_runs())
    kinds.push_back(kind);
  throw InputError(
      {c.path.string(), 0, "kind", c.kind},
      "no simulation runs cases of this kind, expected one of " + cases::list_of(kinds));
}

void blame_case(const cases::Case& c, const std::function<void()>& action) {
  try {
    action();
  } catch (const ParticleError& error) {
    throw InputError({c.path.string(), 0, {}, {}}, error.what());
  } catch (const RefusalError& error) {
    throw InputError({c.path.string(), 0, {}, {}}, error.what());
  } catch (const ArgumentError& error) {
    throw InputError({c.path.string(), 0, {}, {}}, error.what());
  }
}

std::int64_t steps_to_next(std::int64_t step, std::int64_t every, std::int64_t otherwise) {
  return every > 0 ? every - step % every : otherwise;
}

bool is_due(std::int64_t step, std::int64_t every) {
  return every > 0 && step % every == 0;
}

}  // namespace tessera::command_line
