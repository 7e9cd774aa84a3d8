#ifndef TESSERA_APPS_TESSERA_TUNE_REPLAY_HPP
#define TESSERA_APPS_TESSERA_TUNE_REPLAY_HPP

#include <string>
#include <vector>

/// \file
/// Replays strategies on recorded landscapes and counts the evaluations that each needs.

namespace tessera::command_line {

/// Prints, for each file and strategy, the evaluations of the median and the 27th of 30 seeds (or
/// the same shares of another number) until 0.95 of the best speed is reached, and the speed
/// reached with a tenth of the candidates.
/// \throws InputError
void replay_strategies(const std::vector<std::string>& files, int seeds, int group, bool json);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TUNE_REPLAY_HPP
