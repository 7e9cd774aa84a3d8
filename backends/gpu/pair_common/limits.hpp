#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_LIMITS_HPP
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_LIMITS_HPP

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/neighbor/atom_bounds.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/reduced_box.hpp"

#include <string>

/// \file
/// Limits of 32-bit coordinates and of a search in float.

namespace tessera::gpu::pair_common {

struct Limits {
  const char* name;  ///< of the implementation
  bool fixed_point;  ///< whether coordinates are fractions of 32 bits; else they are doubles
  double cutoff;

  /// Longest box, in cutoffs, in which a double resolves the fractions.
  static constexpr double most_cutoffs = 1e7;
  /// Range of cutoffs for which a float can hold the square of cutoff and skin.
  static constexpr double shortest_cutoff = 1e-15;
  static constexpr double longest_cutoff = 5e17;
  /// Largest extent of the atoms in double precision, where offsets are still floats.
  static constexpr double longest_spread = 1e30;

  [[nodiscard]] Refusal refuse_lengths(double longest, double shortest) const {
    if (longest < shortest_cutoff || longest > longest_cutoff)
      return "the cutoff " + rounded_number(longest) + " is not in the range " +
             rounded_number(shortest_cutoff) + " to " + rounded_number(longest_cutoff) +
             " of its search, which squares lengths in float; use cuda.portable";
    return fixed_point ? md::refuse_short_lengths(longest, shortest, "cuda.portable") : Refusal{};
  }

  void require_lengths(double longest, double shortest) const {
    if (const auto reason = refuse_lengths(longest, shortest)) throw refused(*reason);
  }

  /// \param box box with reduced tilts.
  [[nodiscard]] Refusal refuse_box(const md::Box& box) const {
    for (int d = 0; fixed_point && d < 3; ++d) {
      if (box.length[d] > most_cutoffs * cutoff)
        return "a box of " + shortest_number(box.length[d]) + " along " + "xyz"[d] +
               " is more than 1e7 cutoffs, too long for fractions of it; use cuda.portable, or "
               "double";
      const double width = md::width_between_faces(box, d);
      if (box.periodic[d] && cutoff > 0.5 * width)
        return "the cutoff " + shortest_number(cutoff) +
               " is larger than half of the width between the faces of the tilted box (" +
               shortest_number(width) + " along " + "abc"[d] +
               "), so fractions of its edges do not give nearest images; use cuda.portable, or "
               "double";
    }
    return {};
  }

  void require_box(const md::Box& box) const {
    if (const auto reason = refuse_box(box))
      throw md::BoxError("", "md/pair_force=" + std::string(name) + ": " + *reason);
  }

  void require_spread(const md::AtomBounds& atom_bounds) const {
    const double most = fixed_point ? most_cutoffs * cutoff : longest_spread;
    for (int d = 0; d < 3; ++d) {
      const double spread = atom_bounds.high[d] - atom_bounds.low[d];
      if (spread > most)
        throw ArgumentError("md/pair_force", "positions",
                            "the atoms spread over " + rounded_number(spread) + " along " +
                                "xyz"[d] + ", expected at most " + rounded_number(most) +
                                (fixed_point ? ": too far for fractions of it; use cuda.portable, "
                                               "or double"
                                             : ": too far for its search; use cuda.portable"));
    }
  }

  void require_list_radius(double radius) const {
    if (radius > 2 * longest_cutoff)
      throw refused("the cutoff and a skin make " + rounded_number(radius) + ", expected at most " +
                    rounded_number(2 * longest_cutoff) +
                    ": the search squares lengths in float; use cuda.portable");
  }

 private:
  [[nodiscard]] RefusalError refused(const std::string& reason) const {
    return {"md/pair_force=" + std::string(name), reason};
  }
};

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_LIMITS_HPP
