#ifndef TESSERA_APPS_TESSERA_CASE_CHOICES_HPP
#define TESSERA_APPS_TESSERA_CASE_CHOICES_HPP

#include "core/case/case.hpp"
#include "core/operations/choices.hpp"

/// \file
/// Converts the tables [selection] and [parameters] of a case to choices.

namespace tessera::command_line {

/// Choices of the configuration, or others, overridden by those of the case.
/// \throws InputError with the line of an unknown operation, implementation or parameter.
[[nodiscard]] Choices choices_of(const cases::Case& c, Choices choices = *configured_choices());

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_CASE_CHOICES_HPP
