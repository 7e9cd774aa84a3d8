#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_SKIN_BUDGET_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_SKIN_BUDGET_HPP

#include "physics/md/box.hpp"
#include "physics/md/neighbor/image_range.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/reduced_box.hpp"

/// \file
/// Validity of a pair list: until when it holds all pairs within the cutoff.

namespace tessera::md {

/// A list that was built in a box holds all pairs (i, j, n), n counting lattice vectors between
/// them, closer than cutoff + skin. A pair comes nearer by what its atoms move and by what n of the
/// vectors change. Kept on the host by the plan.
class SkinBudget {
 public:
  /// \param preferred_skin where the problem asks for none.
  SkinBudget(const PairForceProblem& problem, double preferred_skin);

  /// Another width where the problem asks for none; counts from the next prepare() on.
  void prefer_skin(double preferred_skin) {
    if (!skin_is_asked_) wanted_skin_ = preferred_skin;
  }

  /// Judges a box and starts anew with it. The skin is what was asked for, cut down so that
  /// cutoff + skin is at most half of each periodic length.
  /// \throws BoxError when it is none or too small for nearest images.
  void prepare(const Box& box);

  /// Sets the images that building the list found.
  /// \param reach how many lattice vectors may lie between two listed atoms of one image: 1 where
  ///         they are folded into the parallelepiped of the reduced box.
  void set_images(const ImageRange& images, const int (&reach)[3]);

  [[nodiscard]] double cutoff() const { return cutoff_; }
  [[nodiscard]] double skin() const { return skin_; }
  /// Cutoff and skin: how far the list has to reach.
  [[nodiscard]] double list_radius() const { return cutoff_ + skin_; }

  /// `box` with the steps that reduced the box of prepare(): see reduced_box.hpp.
  [[nodiscard]] Box reduced(const Box& box) const { return md::reduced(box, steps_); }
  /// The box of prepare(), reduced.
  [[nodiscard]] Box reduced() const { return md::reduced(box_, steps_); }

  [[nodiscard]] double allowed_displacement() const { return skin_ / 2; }
  /// As the contract of md/pair_force has it.
  [[nodiscard]] double allowed_displacement(const Box& box) const;

  /// First check of execute(). \throws BoxError saying why `box` is out of reach.
  void require(const Box& box) const {
    if (!(box == box_)) require_changed(box);
  }

 private:
  /// Length by which the change of box may bring a pair together.
  [[nodiscard]] double approach(const Box& box) const;
  [[nodiscard]] Refusal refuse(const Box& box) const;
  void require_changed(const Box& box) const;

  double cutoff_;
  bool skin_is_asked_;
  double wanted_skin_;
  double skin_ = 0;
  Box box_;
  TiltSteps steps_;
  double between_[3] = {1, 1, 1};  ///< most lattice vectors between two listed atoms
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_SKIN_BUDGET_HPP
