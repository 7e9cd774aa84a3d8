#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_SKIN_BUDGET_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_SKIN_BUDGET_HPP

#include "physics/md/box.hpp"
#include "physics/md/neighbor/image_range.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/reduced_box.hpp"

/// \file
/// The part of the skin that is left: how long a neighbor list holds all pairs within the cutoff.

namespace tessera::md {

/// A list that was built in a box holds all pairs (i, j, n) closer than cutoff + skin, where n
/// counts the lattice vectors between the two atoms. A pair comes closer by the displacements of
/// its atoms and by the change of n lattice vectors. The plan keeps this budget on the host.
class SkinBudget {
 public:
  /// \param preferred_skin used if the problem requests no skin.
  SkinBudget(const PairForceProblem& problem, double preferred_skin);

  /// Sets another preferred skin, from the next prepare() on; without effect if the problem
  /// requests a skin.
  void prefer_skin(double preferred_skin) {
    if (!skin_is_asked_) wanted_skin_ = preferred_skin;
  }

  /// Starts anew with a box. The skin is the requested or preferred one, reduced so that cutoff +
  /// skin is at most half of each periodic length.
  /// \throws BoxError if the box is invalid or too small for nearest images.
  void prepare(const Box& box);

  /// Sets the range of images that building the list found.
  /// \param reach most lattice vectors in each direction between two listed atoms of image 0: 1 if
  /// atoms are wrapped into the parallelepiped of the reduced box.
  void set_images(const ImageRange& images, const int (&reach)[3]);

  [[nodiscard]] double cutoff() const { return cutoff_; }
  [[nodiscard]] double skin() const { return skin_; }
  /// Cutoff plus skin.
  [[nodiscard]] double list_radius() const { return cutoff_ + skin_; }

  /// `box`, reduced by the same steps as the box of prepare(): see reduced_box.hpp.
  [[nodiscard]] Box reduced(const Box& box) const { return md::reduced(box, steps_); }
  /// The box of prepare(), reduced.
  [[nodiscard]] Box reduced() const { return md::reduced(box_, steps_); }

  [[nodiscard]] double allowed_displacement() const { return skin_ / 2; }
  /// As PairForcePlanInterface::allowed_displacement(box).
  [[nodiscard]] double allowed_displacement(const Box& box) const;

  /// Called at the start of execute(). \throws BoxError with the reason why the list does not hold
  /// in `box`.
  void require(const Box& box) const {
    if (!(box == box_)) require_changed(box);
  }

 private:
  /// Largest decrease of the distance of a listed pair by the change of the box.
  [[nodiscard]] double approach(const Box& box) const;
  [[nodiscard]] Refusal refuse(const Box& box) const;
  void require_changed(const Box& box) const;

  double cutoff_;
  bool skin_is_asked_;
  double wanted_skin_;
  double skin_ = 0;
  Box box_;
  TiltSteps steps_;
  double between_[3] = {1, 1, 1};  ///< most lattice vectors between two listed atoms, by direction
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_SKIN_BUDGET_HPP
