#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <tessera/core/base/device_code.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/md/pair_force/pair_force.hpp>

/// \file
/// Takes excluded pairs out of full neighbor lists in cell order.

namespace tessera::md {

/// Where each atom stands in cell order.
struct InvertOrder {
  const std::int32_t* order;
  std::int32_t* rank;

  TESSERA_FUNCTION void operator()(std::int64_t k) const {
    rank[order[k]] = static_cast<std::int32_t>(k);
  }
};

/// `Matrix` offers `at(k, slot)` and `counts`. A row stays whole lanes: it is padded with its atom.
/// `wrong` becomes the largest atom + 1 whose exclusions name itself or an atom that is not there.
template <class Matrix>
struct DropExcluded {
  Exclusions exclusions;
  const std::int32_t* order;
  const std::int32_t* rank;
  std::int64_t atoms;
  Matrix matrix;
  int lanes;

  TESSERA_FUNCTION void operator()(std::int64_t k, std::int64_t& wrong) const {
    const std::int64_t i = order[k];
    std::int32_t count = matrix.counts[k];
    const std::int32_t before = count;
    for (std::int32_t e = exclusions.offsets(i); e < exclusions.offsets(i + 1); ++e) {
      const std::int64_t partner = exclusions.partners(e);
      if (partner < 0 || partner >= atoms || partner == i) {
        if (i + 1 > wrong) wrong = i + 1;
        continue;
      }
      const std::int32_t other = rank[partner];
      for (std::int32_t slot = 0; slot < count; ++slot) {
        if (matrix.at(k, slot) != other) continue;
        matrix.at(k, slot) = matrix.at(k, --count);
        break;
      }
    }
    if (count == before) return;
    matrix.counts[k] = count;
    for (std::int32_t slot = count; slot < before || slot % lanes != 0; ++slot)
      matrix.at(k, slot) = static_cast<std::int32_t>(k);
  }
};

struct LargerIndex {
  TESSERA_FUNCTION void operator()(std::int64_t& into, const std::int64_t& from) const {
    if (from > into) into = from;
  }
};

[[noreturn]] inline void throw_wrong_exclusion(std::int64_t atom) {
  throw ParticleError({atom}, "the exclusions of atom " + std::to_string(atom) +
                                  " name itself or an atom that does not exist");
}

template <ExecutionSpace Space>
class ExclusionFilter {
 public:
  explicit ExclusionFilter(Space space)
      : space_(space), rank_(space), wrong_(space, 1), workspace_(space) {}

  /// \param order atoms in cell order, in which the matrix is.
  /// \throws ParticleError naming an atom whose exclusions make no sense.
  template <class Matrix>
  void apply(const Exclusions& exclusions, const std::int32_t* order, std::int64_t atoms,
             const Matrix& matrix, int lanes) {
    if (atoms == 0) return;
    rank_.require(atoms);
    workspace_.require(Space::template reduce_bytes<std::int64_t>(atoms));
    space_.for_each("invert order", atoms, InvertOrder{order, rank_.data()});
    space_.reduce("drop excluded", atoms, std::int64_t{0},
                  DropExcluded<Matrix>{exclusions, order, rank_.data(), atoms, matrix, lanes},
                  LargerIndex{}, wrong_.data(), workspace_.get());
    if (const std::int64_t wrong = wrong_.read(); wrong > 0) throw_wrong_exclusion(wrong - 1);
  }

 private:
  Space space_;
  Buffer<std::int32_t, Space> rank_;
  Buffer<std::int64_t, Space> wrong_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md
