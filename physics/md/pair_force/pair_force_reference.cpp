#include "physics/md/pair_force/pair_force_reference.hpp"

#include "core/base/error.hpp"
#include "physics/md/coincident_atoms.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/reduced_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tessera::md {
namespace {

using Vector = std::array<double, 3>;

constexpr std::int64_t most_for_all_pairs = 5000;

/// Packed coefficients of pairs of types, as PairPotential::evaluate takes them.
class PairNumbers {
 public:
  PairNumbers(const PairPotential& potential, View<const double, 3> coefficients)
      : potential_(potential),
        table_(pack_pair_table(potential, coefficients, {}, &samples_)),
        types_(coefficients.extent(0)) {}

  [[nodiscard]] const double* row(std::int32_t a, std::int32_t b) const {
    return table_.data() + (a * types_ + b) * potential_.table_width();
  }
  [[nodiscard]] const PairPotential& potential() const { return potential_; }
  [[nodiscard]] const double* samples() const { return samples_.data(); }
  [[nodiscard]] double largest_cutoff() const {
    double square = 0;
    for (std::int64_t pair = 0; pair < types_ * types_; ++pair)
      square = std::max(square, table_[static_cast<std::size_t>(pair * potential_.table_width())]);
    return std::sqrt(square);
  }

 private:
  const PairPotential& potential_;
  std::vector<double> samples_;
  std::vector<double> table_;
  std::int64_t types_;
};

/// Sums of one run of the oracle over pairs.
template <class Storage>
class Sums {
 public:
  Sums(const PairForceArgs<Storage>& args, const PairNumbers& numbers,
       PairForceDiagnostics* diagnostics)
      : args_(args),
        numbers_(numbers),
        targets_(args.targets()),
        forces_(static_cast<std::size_t>(targets_)),
        torques_(numbers.potential().writes(AtomSum::torque) ? forces_.size() : 0),
        by_atom_(args.energies.given() || args.virials.given() ? forces_.size() : 0),
        diagnostics_(diagnostics) {
    if (diagnostics_ == nullptr) return;
    diagnostics_->by_atom.assign(by_atom_.size(), {});
    diagnostics_->near_cutoff.assign(forces_.size(), 0);
    diagnostics_->force_magnitude.assign(forces_.size(), 0);
    diagnostics_->torque_magnitude.assign(torques_.size(), 0);
    diagnostics_->energy_magnitude = 0;
    diagnostics_->virial_magnitude = {};
  }

  /// Adds the pair of target i and an image of atom j with separation r = r_i - r_j.
  /// \param nearest whether it is the nearest image.
  /// \param share 1/2 for an atom and its own image, which the search finds twice.
  /// \param once whether the search finds the pair once, so that the force acts on j too.
  void add(std::int64_t i, std::int64_t j, const Vector& r, bool nearest, double share,
           bool once = true) {
    const double* const row = numbers_.row(args_.types(i), args_.types(j));
    const double r_sq = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    const double length = std::sqrt(r_sq);
    mark_near_cutoff(i, j, row, length);
    if (!(r_sq < row[0]) || (nearest && excluded(i, j))) return;
    if (r_sq == 0) throw CoincidentAtoms(i, j);
    PairAtoms pair{length, r};
    read_values(i, pair.i);
    read_values(j, pair.j);
    const PairValue value = numbers_.potential().evaluate(row, pair, numbers_.samples());
    const bool both = once && j < targets_;
    const double counted = j < targets_ ? share : 0.5 * share;
    energy += counted * value.energy;
    Vector force{};
    for (std::size_t a = 0; a < 3; ++a) {
      force[a] = value.total_force(pair, a);
      forces_[static_cast<std::size_t>(i)][a] += share * force[a];
      if (both) forces_[static_cast<std::size_t>(j)][a] -= share * force[a];
    }
    if (!torques_.empty()) {
      add_torque(i, share, value.torque_i);
      if (both) add_torque(j, share, value.torque_j);
    }
    constexpr std::array<std::array<std::size_t, 2>, 6> component{
        {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
    const auto virial_of = [&](double factor, std::size_t c) {
      const auto& [a, b] = component[c];
      return factor * value.force_over_r * r[a] * r[b] + factor * r[a] * value.force[b];
    };
    for (std::size_t c = 0; c < 6; ++c)
      virial[c] += virial_of(counted, c);
    if (!by_atom_.empty()) {
      AtomSums half{0.5 * share * value.energy, {}};
      for (std::size_t c = 0; c < 6; ++c)
        half.virial[c] = virial_of(0.5 * share, c);
      add_half(i, half);
      if (both) add_half(j, half);
    }
    if (diagnostics_ == nullptr) return;
    const double magnitude = share * std::hypot(force[0], force[1], force[2]);
    diagnostics_->force_magnitude[static_cast<std::size_t>(i)] += magnitude;
    if (both) diagnostics_->force_magnitude[static_cast<std::size_t>(j)] += magnitude;
    diagnostics_->energy_magnitude += counted * std::abs(value.energy);
    for (std::size_t c = 0; c < 6; ++c)
      diagnostics_->virial_magnitude[c] += std::abs(virial_of(counted, c));
  }

  [[nodiscard]] const std::vector<Vector>& forces() const { return forces_; }
  /// Empty unless the potential writes torques.
  [[nodiscard]] const std::vector<Vector>& torques() const { return torques_; }
  /// Empty unless requested.
  [[nodiscard]] const std::vector<AtomSums>& by_atom() const { return by_atom_; }

  double energy = 0;
  std::array<double, 6> virial{};

 private:
  void read_values(std::int64_t atom, potentials::AtomValues<double, ~0u>& values) const {
    if (args_.charges.given()) values.charge = static_cast<double>(args_.charges(atom));
    if (args_.dipoles.given())
      values.dipole = {static_cast<double>(args_.dipoles(atom, 0)),
                       static_cast<double>(args_.dipoles(atom, 1)),
                       static_cast<double>(args_.dipoles(atom, 2))};
  }

  void add_torque(std::int64_t atom, double share, const Vector& torque) {
    const auto place = static_cast<std::size_t>(atom);
    for (std::size_t a = 0; a < 3; ++a)
      torques_[place][a] += share * torque[a];
    if (diagnostics_ != nullptr)
      diagnostics_->torque_magnitude[place] += share * std::hypot(torque[0], torque[1], torque[2]);
  }

  void add_half(std::int64_t atom, const AtomSums& half) {
    const auto place = static_cast<std::size_t>(atom);
    by_atom_[place].energy += half.energy;
    for (std::size_t c = 0; c < 6; ++c)
      by_atom_[place].virial[c] += half.virial[c];
    if (diagnostics_ == nullptr) return;
    diagnostics_->by_atom[place].energy += std::abs(half.energy);
    for (std::size_t c = 0; c < 6; ++c)
      diagnostics_->by_atom[place].virial[c] += std::abs(half.virial[c]);
  }

  /// Marks atoms i and j if their distance is close to a cutoff. In a row for a sum of two
  /// potentials the squares of the two cutoffs follow the square of the larger one.
  void mark_near_cutoff(std::int64_t i, std::int64_t j, const double* row, double length) {
    if (diagnostics_ == nullptr) return;
    const auto mark = [&](double cutoff_sq) {
      const double cutoff = std::sqrt(cutoff_sq);
      if (!(std::abs(length - cutoff) < diagnostics_->margin * cutoff)) return;
      diagnostics_->near_cutoff[static_cast<std::size_t>(i)] = 1;
      if (j < targets_) diagnostics_->near_cutoff[static_cast<std::size_t>(j)] = 1;
    };
    mark(row[0]);
    const std::vector<PairPotentialPart>& parts = numbers_.potential().parts();
    if (parts.size() == 1) return;
    int at = 1;
    for (const PairPotentialPart& part : parts) {
      mark(row[at]);
      at += 1 + part.width;
    }
  }

  [[nodiscard]] bool excluded(std::int64_t i, std::int64_t j) const {
    if (!args_.exclusions.given()) return false;
    for (std::int32_t e = args_.exclusions.offsets(i); e < args_.exclusions.offsets(i + 1); ++e)
      if (args_.exclusions.partners(e) == j) return true;
    return false;
  }

  const PairForceArgs<Storage>& args_;
  const PairNumbers& numbers_;
  std::int64_t targets_;
  std::vector<Vector> forces_;
  std::vector<Vector> torques_;
  std::vector<AtomSums> by_atom_;
  PairForceDiagnostics* diagnostics_;
};

template <class Storage>
std::vector<Vector> positions_of(const PairForceArgs<Storage>& args) {
  std::vector<Vector> positions(static_cast<std::size_t>(args.positions.extent(0)));
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      positions[i][d] = static_cast<double>(
          args.positions(static_cast<std::int64_t>(i), static_cast<std::int64_t>(d)));
  return positions;
}

/// The periodic images of a separation that may be within the reach.
class Images {
 public:
  /// Adds a margin for rounding to the reach; pairs beyond the cutoff do not count anyway.
  Images(const Box& box, double reach) : box_(box), far_(reach * (1 + 1e-9)) {
    for (int d = 0; d < 3; ++d) {
      const auto k = static_cast<std::size_t>(d);
      edges_[k] = box.edge(d);
      per_length_[k] = box.periodic[d] ? 1 / box.length[d] : 0;
      if (box.periodic[d] && !(2.000001 * far_ < box.length[d])) only_the_middle_ = false;
    }
  }

  /// The image with every coordinate within half a length; reduced along c, then b, then a.
  [[nodiscard]] Vector in_the_middle(Vector r) const {
    for (std::size_t d = 3; d-- > 0;) {
      const double n = std::nearbyint(r[d] * per_length_[d]);
      r = {r[0] - n * edges_[d].x, r[1] - n * edges_[d].y, r[2] - n * edges_[d].z};
    }
    return r;
  }

  /// Calls `call(image, nearest)` for every image of `r`, which must be a result of
  /// in_the_middle(); `nearest` is whether the image is `r` itself.
  template <class Call>
  void for_each(const Vector& r, const Call& call) const {
    if (only_the_middle_) {
      if (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] < far_ * far_) call(r, true);
      return;
    }
    const Counts along_c = counts(r[2], 2);
    for (std::int64_t c = along_c.first; c <= along_c.last; ++c) {
      const auto nc = static_cast<double>(c);
      const double y = r[1] + nc * box_.tilt[2];
      const Counts along_b = counts(y, 1);
      for (std::int64_t b = along_b.first; b <= along_b.last; ++b) {
        const auto nb = static_cast<double>(b);
        const double x = r[0] + (nb * box_.tilt[0] + nc * box_.tilt[1]);
        const Counts along_a = counts(x, 0);
        for (std::int64_t a = along_a.first; a <= along_a.last; ++a)
          call(Vector{x + static_cast<double>(a) * box_.length[0], y + nb * box_.length[1],
                      r[2] + nc * box_.length[2]},
               a == 0 && b == 0 && c == 0);
      }
    }
  }

 private:
  struct Counts {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  [[nodiscard]] Counts counts(double x, int d) const {
    if (!box_.periodic[d]) return {};
    return {static_cast<std::int64_t>(std::ceil((-far_ - x) / box_.length[d])),
            static_cast<std::int64_t>(std::floor((far_ - x) / box_.length[d]))};
  }

  const Box& box_;
  double far_;
  /// Whether every periodic length is more than twice the reach, so that one image suffices.
  bool only_the_middle_ = true;
  std::array<Vec3<double>, 3> edges_{};
  Vector per_length_{};
};

/// Searches all pairs with a target and all images within reach.
template <class Storage>
void all_pairs(const PairForceArgs<Storage>& args, double reach, Sums<Storage>& sums) {
  const std::int64_t n = args.positions.extent(0);
  const Images images(args.box, reach);
  const std::vector<Vector> positions = positions_of(args);
  for (std::int64_t i = 0; i < args.targets(); ++i) {
    const Vector& ri = positions[static_cast<std::size_t>(i)];
    for (std::int64_t j = i; j < n; ++j) {
      const Vector& rj = positions[static_cast<std::size_t>(j)];
      const Vector r = images.in_the_middle({ri[0] - rj[0], ri[1] - rj[1], ri[2] - rj[2]});
      images.for_each(r, [&](const Vector& image, bool itself) {
        if (i == j && itself) return;
        sums.add(i, j, image, itself, i == j ? 0.5 : 1.0);
      });
    }
  }
}

/// Cell search: cells at least as wide as the reach, in fractions of the reduced lattice along
/// periodic directions. Each pair of cells is visited once.
template <class Storage>
class Cells {
 public:
  Cells(const PairForceArgs<Storage>& args, double reach)
      : args_(args),
        images_(args.box, reach),
        lattice_(reduced(args.box, least_tilt(args.box))),
        positions_(positions_of(args)) {
    const std::int64_t n = args.positions.extent(0);
    Vector& low = low_;
    Vector& extent = extent_;
    for (int d = 0; d < 3; ++d) {
      const auto k = static_cast<std::size_t>(d);
      low[k] = args.box.lower[d];
      extent[k] = args.box.length[d];
      if (!args.box.periodic[d] && n > 0) {
        double least = INFINITY;
        double most = -INFINITY;
        for (const Vector& r : positions_) {
          least = std::min(least, r[k]);
          most = std::max(most, r[k]);
        }
        low[k] = least;
        extent[k] = std::max(most - least, reach);
      }
      const double width = args.box.periodic[d] ? width_between_faces(lattice_, d) : extent[k];
      const double most_cells = std::cbrt(static_cast<double>(n)) + 3;
      count_[k] =
          std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(width / reach, most_cells)));
    }
    heads_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]), {});
    for (std::int64_t i = 0; i < n; ++i)
      heads_[index(cell_of(positions_[static_cast<std::size_t>(i)]))].push_back(i);
  }

  [[nodiscard]] bool fine_enough() const {
    for (std::size_t d = 0; d < 3; ++d)
      if (args_.box.periodic[d] && count_[d] < 3) return false;
    return true;
  }

  void run(Sums<Storage>& sums) const {
    std::array<std::int64_t, 3> c{};
    for (c[0] = 0; c[0] < count_[0]; ++c[0])
      for (c[1] = 0; c[1] < count_[1]; ++c[1])
        for (c[2] = 0; c[2] < count_[2]; ++c[2])
          for_each_step([&](const std::array<std::int64_t, 3>& step) {
            std::array<std::int64_t, 3> other{};
            if (!neighbor_cell(c, step, other)) return;
            for (const std::int64_t i : heads_[index(c)])
              if (i < args_.targets())
                add_cell(
                    i, other, sums, [i](std::int64_t j) { return j > i; }, true);
          });
  }

  /// Computes pairs of the given atoms with all others.
  void run(const std::vector<std::int64_t>& atoms, Sums<Storage>& sums) const {
    for (const std::int64_t i : atoms) {
      if (i >= args_.targets()) continue;
      const std::array<std::int64_t, 3> own = cell_of(positions_[static_cast<std::size_t>(i)]);
      for_each_step([&](const std::array<std::int64_t, 3>& step) {
        std::array<std::int64_t, 3> other{};
        if (neighbor_cell(own, step, other))
          add_cell(
              i, other, sums, [i](std::int64_t j) { return j != i; }, false);
      });
    }
  }

 private:
  [[nodiscard]] std::size_t index(const std::array<std::int64_t, 3>& c) const {
    return static_cast<std::size_t>((c[0] * count_[1] + c[1]) * count_[2] + c[2]);
  }

  [[nodiscard]] std::array<std::int64_t, 3> cell_of(const Vector& r) const {
    std::array<double, 3> share{};
    share[2] = (r[2] - low_[2]) / extent_[2];
    share[1] = (r[1] - low_[1] - lattice_.tilt[2] * share[2]) / extent_[1];
    share[0] =
        (r[0] - low_[0] - lattice_.tilt[0] * share[1] - lattice_.tilt[1] * share[2]) / extent_[0];
    std::array<std::int64_t, 3> cell{};
    for (std::size_t d = 0; d < 3; ++d) {
      if (args_.box.periodic[d]) share[d] -= std::floor(share[d]);
      cell[d] = std::clamp<std::int64_t>(
          static_cast<std::int64_t>(share[d] * static_cast<double>(count_[d])), 0, count_[d] - 1);
    }
    return cell;
  }

  template <class Call>
  static void for_each_step(const Call& call) {
    for (std::int64_t x = -1; x <= 1; ++x)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t z = -1; z <= 1; ++z)
          call(std::array<std::int64_t, 3>{x, y, z});
  }

  /// Finds the cell at `step` from `cell`; false if there is none in an open direction.
  [[nodiscard]] bool neighbor_cell(const std::array<std::int64_t, 3>& cell,
                                   const std::array<std::int64_t, 3>& step,
                                   std::array<std::int64_t, 3>& other) const {
    for (std::size_t d = 0; d < 3; ++d) {
      other[d] = cell[d] + step[d];
      if (other[d] >= 0 && other[d] < count_[d]) continue;
      if (!args_.box.periodic[d]) return false;
      other[d] = (other[d] + count_[d]) % count_[d];
    }
    return true;
  }

  /// Adds the pairs of atom i with those atoms j of a cell for which wanted(j) is true.
  template <class Wanted>
  void add_cell(std::int64_t i, const std::array<std::int64_t, 3>& cell, Sums<Storage>& sums,
                const Wanted& wanted, bool both) const {
    const Vector& ri = positions_[static_cast<std::size_t>(i)];
    for (const std::int64_t j : heads_[index(cell)]) {
      if (!wanted(j)) continue;
      const Vector& rj = positions_[static_cast<std::size_t>(j)];
      const Vector r = images_.in_the_middle({ri[0] - rj[0], ri[1] - rj[1], ri[2] - rj[2]});
      sums.add(i, j, r, true, 1.0, both);
    }
  }

  const PairForceArgs<Storage>& args_;
  Images images_;
  Box lattice_;
  std::vector<Vector> positions_;
  Vector low_{};
  Vector extent_{};
  std::array<std::int64_t, 3> count_{};
  std::vector<std::vector<std::int64_t>> heads_;
};

}  // namespace

template <class Storage>
void pair_force_oracle(const PairForceArgs<Storage>& args, const std::string& potential_name,
                       PairSearch search, PairForceDiagnostics* diagnostics) {
  const std::int64_t n = args.positions.extent(0);
  const PairPotential potential = pair_potentials().find(potential_name);
  const PairNumbers numbers(potential, args.coefficients);
  const double margin = diagnostics == nullptr ? 0 : diagnostics->margin;
  const double reach = numbers.largest_cutoff() * (1 + margin);
  Sums<Storage> sums(args, numbers, diagnostics);
  const bool few = n <= most_for_all_pairs;
  if (search == PairSearch::all_pairs || (search == PairSearch::automatic && few)) {
    all_pairs(args, reach, sums);
  } else {
    const Cells<Storage> cells(args, reach);
    if (cells.fine_enough() && diagnostics != nullptr && diagnostics->only != nullptr)
      cells.run(*diagnostics->only, sums);
    else if (cells.fine_enough())
      cells.run(sums);
    else if (search == PairSearch::cells)
      throw ArgumentError("the box is too small for a search by cells");
    else
      all_pairs(args, reach, sums);
  }
  const auto store = [&](const View<Storage, 2>& into, const std::vector<Vector>& from) {
    for (std::size_t i = 0; i < from.size(); ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        Storage& value = into(static_cast<std::int64_t>(i), static_cast<std::int64_t>(a));
        value = static_cast<Storage>((args.write == Write::add ? static_cast<double>(value) : 0.0) +
                                     from[i][a]);
      }
  };
  store(args.forces, sums.forces());
  store(args.torques, sums.torques());
  if (args.energy.given()) args.energy(0) = sums.energy;
  if (args.virial.given())
    for (std::int64_t c = 0; c < 6; ++c)
      args.virial(c) = sums.virial[static_cast<std::size_t>(c)];
  for (std::size_t i = 0; i < sums.by_atom().size(); ++i) {
    const auto atom = static_cast<std::int64_t>(i);
    if (args.energies.given()) args.energies(atom) = sums.by_atom()[i].energy;
    if (args.virials.given())
      for (std::size_t c = 0; c < 6; ++c)
        args.virials(atom, static_cast<std::int64_t>(c)) = sums.by_atom()[i].virial[c];
  }
}

template <class Storage>
void pair_force_reference(const PairForceProblem& problem, const PairForceArgs<Storage>& args) {
  check_box(args.box);
  pair_force_oracle(args, problem.potential);
}

template void pair_force_oracle<double>(const PairForceArgs<double>&, const std::string&,
                                        PairSearch, PairForceDiagnostics*);
template void pair_force_oracle<float>(const PairForceArgs<float>&, const std::string&, PairSearch,
                                       PairForceDiagnostics*);
template void pair_force_reference<double>(const PairForceProblem&, const PairForceArgs<double>&);
template void pair_force_reference<float>(const PairForceProblem&, const PairForceArgs<float>&);

}  // namespace tessera::md
