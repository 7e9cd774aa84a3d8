#ifndef TESSERA_CORE_TUNING_WORKERS_HPP
#define TESSERA_CORE_TUNING_WORKERS_HPP

#include "core/tuning/worker.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// \file
/// Lines of work in processes of their own, so that one that crashes, hangs or breaks a device is
/// told and the others go on. Needs a system with fork and poll.

namespace tessera {

/// A worker reads lines from its standard input and answers each with one line on its standard
/// output.
struct WorkerOptions {
  std::vector<std::string> command;  ///< path of the program, then its arguments
  int workers = 1;                   ///< at one time
  double timeout = 60;               ///< seconds for one line, start of the process included
  int lines_per_worker = 1;          ///< then a fresh process takes over; 1 keeps lines apart
};

/// Runs every line. `answered`, where given, is called with its index as soon as a line is done.
/// \returns an answer for each line, in their order.
/// \throws Error when no process can be started.
std::vector<WorkerAnswer> run_in_workers(
    const std::vector<std::string>& lines, const WorkerOptions& options,
    const std::function<void(std::size_t, const WorkerAnswer&)>& answered = {});

/// The program that is running, for workers of the same kind.
[[nodiscard]] std::string path_of_this_program();

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_WORKERS_HPP
