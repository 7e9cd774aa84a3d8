#ifndef TESSERA_CORE_TUNING_WORKERS_HPP
#define TESSERA_CORE_TUNING_WORKERS_HPP

#include "core/tuning/worker.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// \file
/// Runs lines of work in separate processes. If a process crashes, hangs or breaks its device, its
/// line is reported as failed and the other lines continue. Needs a system with fork and poll.

namespace tessera {

/// A worker reads lines from its standard input and answers each with one line on its standard
/// output.
struct WorkerOptions {
  std::vector<std::string> command;  ///< path of the program, followed by its arguments
  int workers = 1;                   ///< number of concurrent workers
  double timeout = 60;               ///< seconds for one line, including the start of the process
  int lines_per_worker = 1;          ///< lines before a fresh process takes over; 1 isolates lines
};

/// Runs every line. `answered`, where given, is called with the index of a line as soon as the line
/// is done.
/// \returns an answer for each line, in order.
/// \throws Error when no process can be started.
std::vector<WorkerReply> run_in_workers(
    const std::vector<std::string>& lines, const WorkerOptions& options,
    const std::function<void(std::size_t, const WorkerReply&)>& answered = {});

/// Path of the running program, for workers of the same program.
[[nodiscard]] std::string path_of_this_program();

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_WORKERS_HPP
