#ifndef TESSERA_PHYSICS_MD_CASE_BUILD_PAIR_TABLE_HPP
#define TESSERA_PHYSICS_MD_CASE_BUILD_PAIR_TABLE_HPP

#include "core/case/case.hpp"
#include "physics/md/mixing/mixing.hpp"
#include "physics/md/pair_form/pair_form.hpp"
#include "physics/md/system.hpp"

#include <optional>
#include <string>

/// \file
/// From the coefficients of a case and of its files to those of every pair of types.

namespace tessera::md {

/// A name that pair coefficients of the atoms' file have and the form of the case lacks: they are
/// those of another style and are left out; empty where they fit.
[[nodiscard]] std::string foreign_coefficient(const PairForm& form, const System& system);

/// Coefficients of every pair of types: those of the atoms' file, overridden by those of the case,
/// completed by mixing.
/// \throws InputError for an unknown type, a type without coefficients, or a style that reads
/// charges where the atoms have none.
[[nodiscard]] CoefficientTable build_pair_table(const cases::Case& c, const System& system);

/// Those of pairs three bonds apart: those that the case has for them, the others as above; absent
/// where it has none.
/// \throws as build_pair_table
[[nodiscard]] std::optional<CoefficientTable> build_pair_table_14(const cases::Case& c,
                                                                  const System& system);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_BUILD_PAIR_TABLE_HPP
