#ifndef TESSERA_TESTS_ANALYTIC_TETHER_TERM_HPP
#define TESSERA_TESTS_ANALYTIC_TETHER_TERM_HPP

#include "physics/md/simulation/force_term.hpp"

#include <array>
#include <string>
#include <utility>

/// \file
/// A force term outside of the library: every atom on a spring of its own, E = k/2 |r - anchor|^2.
/// The term runs on the host and does not consider periodic images. It serves for systems of
/// independent oscillators.

namespace tessera::test {

struct TetherOptions {
  double stiffness = 1;
};

template <class P>
class TetherTerm final : public md::ForceTerm<P> {
 public:
  TetherTerm(md::State<P>& state, const TetherOptions& options)
      : options_(options),
        anchors_(state.columns.template declare<typename P::Storage>(
            "tether.anchors", 3, {.saved = true, .rollback = false},
            state.columns.to_host(state.positions))) {}

  [[nodiscard]] std::string name() const override { return "tether"; }
  [[nodiscard]] std::string style() const override { return "spring"; }

  void execute(md::State<P>& state, Write write, View<double, 1> tally) override {
    const auto r = state.columns.rows(state.positions);
    const auto anchor = state.columns.rows(anchors_);
    const auto f = state.columns.rows(state.forces);
    std::array<double, md::tally_size> sums{};
    for (std::int64_t i = 0; i < state.atoms(); ++i)
      for (int d = 0; d < 3; ++d) {
        const auto x = static_cast<double>(r(i, d)) - static_cast<double>(anchor(i, d));
        const double force = -options_.stiffness * x;
        f(i, d) = static_cast<typename P::Storage>(
            force + (write == Write::add ? static_cast<double>(f(i, d)) : 0.0));
        sums[0] += 0.5 * options_.stiffness * x * x;
      }
    ++calls_;
    for (std::size_t s = 0; tally.given() && s < sums.size(); ++s)
      tally(static_cast<std::int64_t>(s)) = sums[s];
  }

  void save(RestartScalars& scalars) const override { scalars.put("tether.calls", calls_); }
  void load(const RestartScalars& scalars) override {
    calls_ = scalars.get<std::int64_t>("tether.calls").value_or(calls_);
  }
  void report(std::vector<md::ThermoColumn>& columns) override {
    columns.push_back({"tether_calls", "", static_cast<double>(calls_)});
  }

 private:
  TetherOptions options_;
  Column<typename P::Storage> anchors_;
  std::int64_t calls_ = 0;
};

[[nodiscard]] inline md::TermFactory tether(double stiffness) {
  return std::make_shared<md::FactoryOf<md::ForceTerm, TetherTerm, TetherOptions>>(
      TetherOptions{stiffness});
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_ANALYTIC_TETHER_TERM_HPP
