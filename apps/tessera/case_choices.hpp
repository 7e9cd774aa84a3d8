#pragma once

#include <tessera/core/case/case.hpp>
#include <tessera/core/operations/choices.hpp>

/// \file
/// From the tables [selection] and [parameters] of a case to choices.

namespace tessera::command_line {

/// The choices of the configuration, or others, overridden by those of the case.
/// \throws InputError naming the line of an unknown operation, implementation or parameter.
[[nodiscard]] Choices choices_of(const cases::Case& c, Choices choices = *configured_choices());

}  // namespace tessera::command_line
