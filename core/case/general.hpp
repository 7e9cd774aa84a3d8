#ifndef TESSERA_CORE_CASE_GENERAL_HPP
#define TESSERA_CORE_CASE_GENERAL_HPP

#include "core/case/case.hpp"
#include "core/case/field.hpp"

#include <string>
#include <vector>

/// \file
/// The keys that every case has, for any kind of simulation.

namespace tessera::cases {

/// \param kinds all kinds of simulation, the valid values of the key `kind`.
/// \param precisions valid for cases of this kind.
/// \param backends names of the backends of this build.
[[nodiscard]] Rows<Case> general_rows(const std::vector<std::string>& kinds,
                                      const std::vector<Precision>& precisions,
                                      const std::vector<std::string>& backends);

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_GENERAL_HPP
