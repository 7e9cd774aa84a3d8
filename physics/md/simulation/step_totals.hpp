#ifndef TESSERA_PHYSICS_MD_SIMULATION_STEP_TOTALS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_STEP_TOTALS_HPP

#include "core/memory/array.hpp"
#include "core/memory/async_host_copy.hpp"

#include <cstdint>
#include <memory>
#include <vector>

/// \file
/// Results of a step in the memory of the device, in one array, so that one copy transfers them
/// all.

namespace tessera::md {

class StepTotals {
 public:
  /// A part of the array.
  struct Slot {
    std::int64_t first = 0;
    std::int64_t count = 0;

    /// The part of an array on the host.
    [[nodiscard]] const double* of(const std::vector<double>& totals) const {
      return totals.data() + first;
    }
  };

  explicit StepTotals(const Context& context) : context_(context) {}

  /// Adds `count` numbers to the array; before allocate().
  [[nodiscard]] Slot declare(std::int64_t count) {
    size_ += count;
    return {size_ - count, count};
  }
  void allocate() {
    values_ = Array<double>(context_, size_);
    copy_ = context_.opened().async_host_copy(static_cast<std::size_t>(size_) * sizeof(double),
                                              context_.stream);
  }

  [[nodiscard]] View<double, 1> view(Slot slot) {
    return {values_.data() + slot.first, {slot.count}};
  }
  /// Enqueues a copy to the host; a copy that was enqueued before is discarded.
  void start_copy() { copy_->start(values_.data()); }
  /// Waits for that copy.
  [[nodiscard]] std::vector<double> wait() {
    const auto* const found = static_cast<const double*>(copy_->wait());
    return {found, found + size_};
  }
  /// Copies the present values to the host, and waits for them.
  [[nodiscard]] std::vector<double> read() const { return values_.to_host(); }

 private:
  Context context_;
  std::int64_t size_ = 0;
  Array<double> values_;
  std::unique_ptr<AsyncHostCopy> copy_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_STEP_TOTALS_HPP
