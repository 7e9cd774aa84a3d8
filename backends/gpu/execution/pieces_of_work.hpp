#ifndef TESSERA_BACKENDS_GPU_EXECUTION_PIECES_OF_WORK_HPP
#define TESSERA_BACKENDS_GPU_EXECUTION_PIECES_OF_WORK_HPP

#include "backends/gpu/execution/graph.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

/// \file
/// Graphs of runtimes without conditional nodes: work between conditions is recorded in pieces, and
/// the host reads every condition.

namespace tessera::gpu {

/// Pieces of which a run takes one: the first, or that of the lowest bit of `*wanted`.
template <class Piece>
struct Part {
  const std::int32_t* wanted = nullptr;
  std::vector<Piece> pieces;

  /// Runs a piece in a queue, none where the lowest bit is that of none.
  /// \param read returns the number at an address of the device, after the work before it.
  template <class Read>
  void run(NativeStream stream, const Read& read) const {
    std::size_t picked = 0;
    if (wanted != nullptr)
      picked = static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(read(wanted))));
    if (picked < pieces.size()) pieces[picked].run(stream);
  }
};

/// Records work in pieces.
/// \tparam Piece is made of a queue and the work to record, and has run(queue).
template <class Piece>
class PieceRecorder final : public TaskRecorder {
 public:
  explicit PieceRecorder(NativeStream stream) : stream_(stream) {}

  void work(const std::function<void()>& work) override { add(nullptr, {work}); }
  void conditional_work(const std::int32_t* wanted,
                        const std::vector<std::function<void()>>& works) override {
    require_works(works.size());
    add(wanted, works);
  }

  [[nodiscard]] std::vector<Part<Piece>> take() { return std::move(parts_); }

 private:
  void add(const std::int32_t* wanted, const std::vector<std::function<void()>>& works) {
    Part<Piece> part;
    part.wanted = wanted;
    for (const std::function<void()>& work : works)
      part.pieces.emplace_back(stream_, work);
    parts_.push_back(std::move(part));
  }

  NativeStream stream_;
  std::vector<Part<Piece>> parts_;
};

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_GPU_EXECUTION_PIECES_OF_WORK_HPP
