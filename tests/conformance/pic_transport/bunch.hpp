#ifndef TESSERA_TESTS_CONFORMANCE_PIC_TRANSPORT_BUNCH_HPP
#define TESSERA_TESTS_CONFORMANCE_PIC_TRANSPORT_BUNCH_HPP

#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "physics/pic/beam_line/beam_element.hpp"
#include "physics/pic/transport/transport.hpp"
#include "tests/support/target.hpp"

#include <cstdint>
#include <memory>
#include <vector>

/// \file
/// A bunch that the properties of pic/transport track through elements.

namespace tessera::pic::transport_test {

/// A bunch on the device with a plan for it.
template <class P>
class Bunch {
 public:
  using Storage = typename P::Storage;

  Bunch(const Implementation<Transport, P>& implementation, const std::vector<Storage>& coordinates,
        const ReferenceParticle& reference)
      : context_(test::context()),
        reference_(reference),
        coordinates_(context_, coordinates),
        alive_(context_, std::vector<std::uint8_t>(coordinates.size() / 6, 1)),
        lost_at_(context_, std::vector<std::int64_t>(coordinates.size() / 6, 0)),
        lost_(context_, 1),
        plan_(implementation.make_plan({coordinates_.size() / 6}, context_, {})) {}

  /// Tracks the bunch through an element. \returns the number of particles lost.
  std::int64_t through(const Element& element, std::int64_t code = 1) {
    plan_->execute({coordinates_.rows(6), alive_.view(), lost_at_.view(), code, reference_, element,
                    lost_.view()});
    return lost_.to_host().front();
  }
  [[nodiscard]] std::vector<Storage> coordinates() const { return coordinates_.to_host(); }
  [[nodiscard]] std::vector<std::uint8_t> alive() const { return alive_.to_host(); }
  [[nodiscard]] std::vector<std::int64_t> lost_at() const { return lost_at_.to_host(); }

 private:
  Context context_;
  ReferenceParticle reference_;
  Array<Storage> coordinates_;
  Array<std::uint8_t> alive_;
  Array<std::int64_t> lost_at_;
  Array<std::int64_t> lost_;
  std::unique_ptr<Plan<Transport, P>> plan_;
};

/// Largest magnitude of each coordinate in random_bunch().
constexpr double sizes[6] = {3e-3, 5e-3, 2e-3, 4e-3, 0.1, 1e-2};

/// Random particles with uniform coordinates up to `sizes`.
/// \param share factor of `sizes`.
template <class Storage>
std::vector<Storage> random_bunch(int particles, double share = 1) {
  RandomSequence random(31);
  std::vector<Storage> all;
  for (int p = 0; p < particles; ++p)
    for (const double size : sizes)
      all.push_back(static_cast<Storage>(share * random.uniform(-size, size)));
  return all;
}

inline Element drift(double length) {
  return transport_element(Drift{length}, {1});
}

}  // namespace tessera::pic::transport_test

#endif  // TESSERA_TESTS_CONFORMANCE_PIC_TRANSPORT_BUNCH_HPP
