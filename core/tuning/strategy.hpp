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
/// Strategies that define the order in which candidates are measured.

namespace tessera {

/// Known measurements by the index of the candidate.
using Measured = std::map<std::size_t, Measurement>;

/// The next candidates depend only on the candidates and the measurements so far, not on the order
/// of the measurements. An interrupted search therefore continues as if it had not been
/// interrupted.
class Strategy {
 public:
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  /// At most `most` candidates that are not in `measured`; none when all have been tried.
  [[nodiscard]] virtual std::vector<std::size_t> next(const Measured& measured,
                                                      std::size_t most) = 0;

 protected:
  Strategy() = default;
};

/// "adaptive", "random", "exhaustive".
[[nodiscard]] const std::vector<std::string>& strategy_names();

/// \param seed of strategies with random choices.
/// \throws SelectionError for an unknown name.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const std::string& name,
                                                      const std::vector<Candidate>& candidates,
                                                      std::uint64_t seed = 1);

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_STRATEGY_HPP
