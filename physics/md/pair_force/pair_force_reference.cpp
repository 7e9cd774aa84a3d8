#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/md/coincident_atoms.hpp>
#include <tessera/md/pair_force/pair_force_reference.hpp>

namespace tessera::md {
namespace {

using Vector = std::array<double, 3>;

constexpr std::int64_t most_for_all_pairs = 5000;

/// Sums of one run of the oracle.
class Sums {
 public:
  Sums(std::int64_t atoms, std::vector<char>* near_cutoff, double margin)
      : forces_(static_cast<std::size_t>(atoms)), near_(near_cutoff), margin_(margin) {
    if (near_ != nullptr) near_->assign(static_cast<std::size_t>(atoms), 0);
  }

  /// Pair (i, image of j) with separation r = r_i - r_j. `share` is 1/2 for an atom and its own
  /// image, which is met twice.
  void add(std::int64_t i, std::int64_t j, const Vector& r, const LennardJones& lj, double share) {
    const double r_sq = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if (near_ != nullptr && std::abs(std::sqrt(r_sq) - lj.cutoff) < margin_) {
      (*near_)[static_cast<std::size_t>(i)] = 1;
      (*near_)[static_cast<std::size_t>(j)] = 1;
    }
    if (!(r_sq < lj.cutoff * lj.cutoff)) return;
    if (r_sq == 0) throw CoincidentAtoms(i, j);
    const double sr_sq = lj.sigma * lj.sigma / r_sq;
    const double sr_6 = sr_sq * sr_sq * sr_sq;
    const double over_r_sq = 24 * lj.epsilon * (2 * sr_6 * sr_6 - sr_6) / r_sq;
    energy += share * (4 * lj.epsilon * (sr_6 * sr_6 - sr_6) + lj.energy_offset);
    for (std::size_t a = 0; a < 3; ++a) {
      const double force = over_r_sq * r[a];
      forces_[static_cast<std::size_t>(i)][a] += share * force;
      forces_[static_cast<std::size_t>(j)][a] -= share * force;
    }
    constexpr std::array<std::array<std::size_t, 2>, 6> component{
        {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
    for (std::size_t c = 0; c < 6; ++c)
      virial[c] += share * over_r_sq * r[component[c][0]] * r[component[c][1]];
  }

  [[nodiscard]] const std::vector<Vector>& forces() const { return forces_; }

  double energy = 0;
  std::array<double, 6> virial{};

 private:
  std::vector<Vector> forces_;
  std::vector<char>* near_;
  double margin_;
};

template <class Storage>
Vector position(const PairForceArgs<Storage>& args, std::int64_t i) {
  return {static_cast<double>(args.positions(i, 0)), static_cast<double>(args.positions(i, 1)),
          static_cast<double>(args.positions(i, 2))};
}

template <class Storage>
double largest_cutoff(const PairForceArgs<Storage>& args) {
  double cutoff = 0;
  for (std::int64_t a = 0; a < args.coefficients.extent(0); ++a)
    for (std::int64_t b = 0; b < args.coefficients.extent(1); ++b)
      cutoff = std::max(cutoff, args.coefficients(a, b).cutoff);
  return cutoff;
}

/// Every pair, every image within reach.
template <class Storage>
void all_pairs(const PairForceArgs<Storage>& args, double reach, Sums& sums) {
  const std::int64_t n = args.positions.extent(0);
  std::array<std::int64_t, 3> images{};
  for (std::size_t d = 0; d < 3; ++d) {
    // The nearest image lies within half a length, so a further one counts only below this bound.
    if (args.box.periodic[d])
      images[d] = static_cast<std::int64_t>(std::ceil(reach / args.box.length[d] + 0.5)) - 1;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const Vector ri = position(args, i);
    for (std::int64_t j = i; j < n; ++j) {
      const Vector rj = position(args, j);
      Vector nearest{};
      for (std::size_t d = 0; d < 3; ++d) {
        nearest[d] = ri[d] - rj[d];
        if (args.box.periodic[d])
          nearest[d] -= args.box.length[d] * std::nearbyint(nearest[d] / args.box.length[d]);
      }
      const LennardJones& lj = args.coefficients(args.types(i), args.types(j));
      for (std::int64_t x = -images[0]; x <= images[0]; ++x)
        for (std::int64_t y = -images[1]; y <= images[1]; ++y)
          for (std::int64_t z = -images[2]; z <= images[2]; ++z) {
            if (i == j && x == 0 && y == 0 && z == 0) continue;
            const Vector r{nearest[0] + static_cast<double>(x) * args.box.length[0],
                           nearest[1] + static_cast<double>(y) * args.box.length[1],
                           nearest[2] + static_cast<double>(z) * args.box.length[2]};
            sums.add(i, j, r, lj, i == j ? 0.5 : 1.0);
          }
    }
  }
}

/// Cells with edges of at least the reach; each pair of cells once.
template <class Storage>
class Cells {
 public:
  Cells(const PairForceArgs<Storage>& args, double reach) : args_(args) {
    const std::int64_t n = args.positions.extent(0);
    Vector low{};
    Vector extent{};
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = args.box.lower[d];
      extent[d] = args.box.length[d];
      if (!args.box.periodic[d] && n > 0) {
        double least = INFINITY;
        double most = -INFINITY;
        for (std::int64_t i = 0; i < n; ++i) {
          least = std::min(least, position(args, i)[d]);
          most = std::max(most, position(args, i)[d]);
        }
        low[d] = least;
        extent[d] = std::max(most - least, reach);
      }
      const double most_cells = std::cbrt(static_cast<double>(n)) + 3;
      count_[d] = std::max<std::int64_t>(
          1, static_cast<std::int64_t>(std::min(extent[d] / reach, most_cells)));
    }
    heads_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]), {});
    for (std::int64_t i = 0; i < n; ++i) {
      const Vector r = position(args, i);
      std::array<std::int64_t, 3> cell{};
      for (std::size_t d = 0; d < 3; ++d) {
        double s = (r[d] - low[d]) / extent[d];
        if (args.box.periodic[d]) s -= std::floor(s);
        cell[d] = std::clamp<std::int64_t>(
            static_cast<std::int64_t>(s * static_cast<double>(count_[d])), 0, count_[d] - 1);
      }
      heads_[index(cell)].push_back(i);
    }
  }

  [[nodiscard]] bool fine_enough() const {
    for (std::size_t d = 0; d < 3; ++d)
      if (args_.box.periodic[d] && count_[d] < 3) return false;
    return true;
  }

  void run(Sums& sums) const {
    std::array<std::int64_t, 3> c{};
    for (c[0] = 0; c[0] < count_[0]; ++c[0])
      for (c[1] = 0; c[1] < count_[1]; ++c[1])
        for (c[2] = 0; c[2] < count_[2]; ++c[2])
          for (std::int64_t x = -1; x <= 1; ++x)
            for (std::int64_t y = -1; y <= 1; ++y)
              for (std::int64_t z = -1; z <= 1; ++z)
                neighbor_cell(c, {x, y, z}, sums);
  }

 private:
  [[nodiscard]] std::size_t index(const std::array<std::int64_t, 3>& c) const {
    return static_cast<std::size_t>((c[0] * count_[1] + c[1]) * count_[2] + c[2]);
  }

  void neighbor_cell(const std::array<std::int64_t, 3>& cell,
                     const std::array<std::int64_t, 3>& step, Sums& sums) const {
    std::array<std::int64_t, 3> other{};
    for (std::size_t d = 0; d < 3; ++d) {
      other[d] = cell[d] + step[d];
      if (other[d] >= 0 && other[d] < count_[d]) continue;
      if (!args_.box.periodic[d]) return;
      other[d] = (other[d] + count_[d]) % count_[d];
    }
    for (const std::int64_t i : heads_[index(cell)]) {
      const Vector ri = position(args_, i);
      for (const std::int64_t j : heads_[index(other)]) {
        if (j <= i) continue;
        const Vector rj = position(args_, j);
        Vector r{};
        for (std::size_t d = 0; d < 3; ++d) {
          r[d] = ri[d] - rj[d];
          if (args_.box.periodic[d])
            r[d] -= args_.box.length[d] * std::nearbyint(r[d] / args_.box.length[d]);
        }
        sums.add(i, j, r, args_.coefficients(args_.types(i), args_.types(j)), 1.0);
      }
    }
  }

  const PairForceArgs<Storage>& args_;
  std::array<std::int64_t, 3> count_{};
  std::vector<std::vector<std::int64_t>> heads_;
};

}  // namespace

template <class Storage>
void pair_force_oracle(const PairForceArgs<Storage>& args, PairSearch search,
                       std::vector<char>* near_cutoff, double margin) {
  const std::int64_t n = args.positions.extent(0);
  const double reach = largest_cutoff(args) + margin;
  Sums sums(n, near_cutoff, margin);
  const bool few = n <= most_for_all_pairs;
  if (search == PairSearch::all_pairs || (search == PairSearch::automatic && few)) {
    all_pairs(args, reach, sums);
  } else {
    const Cells<Storage> cells(args, reach);
    if (cells.fine_enough())
      cells.run(sums);
    else if (search == PairSearch::cells)
      throw ArgumentError("the box is too small for a search by cells");
    else
      all_pairs(args, reach, sums);
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t a = 0; a < 3; ++a)
      args.forces(i, a) = static_cast<Storage>(
          sums.forces()[static_cast<std::size_t>(i)][static_cast<std::size_t>(a)]);
  if (args.energy.given()) args.energy(0) = sums.energy;
  if (args.virial.given())
    for (std::int64_t c = 0; c < 6; ++c)
      args.virial(c) = sums.virial[static_cast<std::size_t>(c)];
}

template <class Storage>
void pair_force_reference(const PairForceProblem&, const PairForceArgs<Storage>& args) {
  pair_force_oracle(args);
}

template void pair_force_oracle<double>(const PairForceArgs<double>&, PairSearch,
                                        std::vector<char>*, double);
template void pair_force_oracle<float>(const PairForceArgs<float>&, PairSearch, std::vector<char>*,
                                       double);
template void pair_force_reference<double>(const PairForceProblem&, const PairForceArgs<double>&);
template void pair_force_reference<float>(const PairForceProblem&, const PairForceArgs<float>&);

}  // namespace tessera::md
