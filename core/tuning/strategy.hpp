#ifndef TESSERA_CORE_TUNING_STRATEGY_HPP
#define TESSERA_CORE_TUNING_STRATEGY_HPP

#include "core/tuning/evaluator.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// \file
/// In which order candidates are measured.

namespace tessera {

/// What is known so far, by the number of the candidate.
using Measured = std::map<std::size_t, Measurement>;

/// A strategy is a function of the candidates and of what was measured, whatever the order in which
/// that came: a search that was stopped goes on as if it had not been.
class Strategy {
 public:
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  /// At most so many candidates that are not in `measured`; none when there is nothing left to try.
  [[nodiscard]] virtual std::vector<std::size_t> next(const Measured& measured,
                                                      std::size_t most) = 0;

 protected:
  Strategy() = default;
};

/// "adaptive", "random", "exhaustive".
[[nodiscard]] const std::vector<std::string>& strategy_names();

/// \param seed of those that pick at random.
/// \throws SelectionError for an unknown name.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const std::string& name,
                                                      const std::vector<Candidate>& candidates,
                                                      std::uint64_t seed = 1);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_STRATEGY_HPP
