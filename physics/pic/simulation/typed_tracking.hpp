#ifndef TESSERA_PHYSICS_PIC_SIMULATION_TYPED_TRACKING_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_TYPED_TRACKING_HPP

#include "core/state/timed_plan.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics.hpp"
#include "physics/pic/simulation/loss_record.hpp"
#include "physics/pic/simulation/tracking.hpp"
#include "physics/pic/simulation/tracking_restart.hpp"
#include "physics/pic/transport/transport.hpp"

#include <optional>

namespace tessera::pic {

template <class P>
class TypedTracking final : public Tracking {
 public:
  using Storage = typename P::Storage;

  TypedTracking(const Context& context, const HostBunch& bunch, TrackingPlan plan,
                const TrackingOptions& options, const TrackingNumbers& numbers);

  using Tracking::advance;
  void advance(std::int64_t steps, const std::function<bool()>& stop) override;
  [[nodiscard]] StatisticsRow statistics() override;
  [[nodiscard]] std::vector<Loss> take_losses() override { return losses_.take(); }
  [[nodiscard]] BunchSnapshot snapshot(bool fields) const override;
  void save(RestartFile& file) const override;
  [[nodiscard]] const TrackingPlan& plan() const override { return plan_; }
  [[nodiscard]] TrackingPosition place() const override { return position_after(plan_, step()); }
  [[nodiscard]] std::int64_t step() const override { return numbers_.step; }
  [[nodiscard]] std::int64_t steps_done() const override { return step() - first_step_; }
  [[nodiscard]] std::int64_t particles() const override { return columns_.owned(); }
  [[nodiscard]] std::int64_t lost() const override { return losses_.lost(); }
  [[nodiscard]] std::int64_t kicks() const override;
  [[nodiscard]] Grid grid() const override;
  [[nodiscard]] const Columns& columns() const override { return columns_; }
  [[nodiscard]] std::vector<OperationTime> timings() const override;

 private:
  void make_step();
  void pass(const Element& element, const TrackingPosition& place);
  void kick(double length, const TrackingPosition& place);
  /// Records newly lost particles if the counts of operations show any.
  void collect_losses(const TrackingPosition& place);
  [[noreturn]] void stop_at_kick(const Error& error, const TrackingPosition& place) const;
  [[nodiscard]] bool timed() const;
  [[nodiscard]] BunchArrays<Storage> arrays();

  Context context_;
  TrackingPlan plan_;
  TrackingOptions options_;
  TrackingNumbers numbers_;
  std::int64_t first_step_;
  std::int64_t first_kicks_;
  Columns columns_;
  LossColumns<Storage> of_;
  std::optional<Column<Storage>> weights_;
  LossRecord losses_;
  Array<std::int64_t>
      lost_counts_;  ///< number of losses by each element of pic/transport that a step has passed
  std::int64_t passed_ = 0;         ///< number of elements whose counts have not been read
  std::int64_t lost_by_kicks_ = 0;  ///< number of losses by kicks that are not yet recorded
  Array<double> moments_;
  TimedPlan<Transport, P> transport_;
  TimedPlan<BunchStatistics, P> statistics_;
  std::optional<SpaceChargeKick<P>> kick_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_TYPED_TRACKING_HPP
