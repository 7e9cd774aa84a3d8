#ifndef TESSERA_PHYSICS_MD_CASE_BUILD_PAIR_TABLE_HPP
#define TESSERA_PHYSICS_MD_CASE_BUILD_PAIR_TABLE_HPP

#include "core/case/case.hpp"
#include "physics/md/mixing/mixing.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/system.hpp"

#include <optional>
#include <string>

/// \file
/// Coefficients of every pair of types from the coefficients of a case and of its files.

namespace tessera::md {

/// Name of a coefficient that the file of the atoms has and the pair potential of the case lacks,
/// which means that the coefficients of the file belong to another style and are not used. Empty if
/// there is no such coefficient.
[[nodiscard]] std::string foreign_coefficient(const PairPotential& potential, const System& system);

/// Coefficients of every pair of types: those of the file of the atoms, overridden by the case,
/// completed by mixing.
/// \throws InputError for an unknown type, a type without coefficients, or a style that reads
///         charges if the atoms have none.
[[nodiscard]] CoefficientTable build_pair_table(const cases::Case& c, const System& system);

/// Coefficients of pairs three bonds apart: coefficients_14 of the case, otherwise as
/// build_pair_table(). Absent if the case has no coefficients_14.
/// \throws as build_pair_table
[[nodiscard]] std::optional<CoefficientTable> build_pair_table_14(const cases::Case& c,
                                                                  const System& system);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_BUILD_PAIR_TABLE_HPP
