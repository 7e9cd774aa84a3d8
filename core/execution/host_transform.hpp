#ifndef TESSERA_CORE_EXECUTION_HOST_TRANSFORM_HPP
#define TESSERA_CORE_EXECUTION_HOST_TRANSFORM_HPP

#include "core/execution/fourier_library.hpp"
#include "core/execution/host_space.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

/// \file
/// Batched Fourier transforms on the threads of a host.

namespace tessera {

/// Splits the batch into pieces, which the threads share. The number of pieces does not depend on
/// the number of threads, so neither do the results.
class HostTransform final : public Transform {
 public:
  HostTransform(HostSpace space, const TransformBatch& batch)
      : space_(std::move(space)),
        batch_(batch),
        // Multiples of 8 give every piece the alignment of the first.
        piece_(std::max<std::int64_t>(8, (batch.count + 8 * pieces - 1) / (8 * pieces) * 8)),
        whole_(batch.count / piece_) {
    if (whole_ > 0) of_piece_.emplace(batch, piece_);
    if (batch.count > whole_ * piece_) of_rest_.emplace(batch, batch.count - whole_ * piece_);
  }

  void execute() override {
    const std::int64_t number = whole_ + (of_rest_.has_value() ? 1 : 0);
    space_.for_each("transforms", number, Body{this});
  }

 private:
  static constexpr std::int64_t pieces = 32;

  struct Body {
    const HostTransform* all;
    void operator()(std::int64_t piece) const { all->run(piece); }
  };

  [[nodiscard]] std::int64_t bytes(bool complex) const {
    return (complex ? 2 : 1) * (batch_.in_double ? std::int64_t{8} : std::int64_t{4});
  }
  void run(std::int64_t piece) const {
    const auto at = [&](const TransformSide& side, bool complex) -> void* {
      return static_cast<char*>(side.data) + piece * piece_ * side.distance * bytes(complex);
    };
    (piece < whole_ ? of_piece_ : of_rest_)
        ->execute(at(batch_.in, batch_.kind != TransformKind::real_forward),
                  at(batch_.out, batch_.kind != TransformKind::real_backward));
  }

  HostSpace space_;
  TransformBatch batch_;
  std::int64_t piece_;
  std::int64_t whole_;
  std::optional<fourier_library::Plan> of_piece_, of_rest_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_HOST_TRANSFORM_HPP
