#ifndef TESSERA_PHYSICS_MD_CASE_PAIR_STYLES_HPP
#define TESSERA_PHYSICS_MD_CASE_PAIR_STYLES_HPP

#include "core/case/range.hpp"

#include <optional>
#include <string>
#include <vector>

/// \file
/// What `[pair] style` may be, and which keys each style brings: those of the pair forms of this
/// process (md/pair_form/pair_form.hpp) and of their sums.

namespace tessera::md {

/// A number, or a flag, that a style takes.
struct StyleField {
  std::string name;
  std::string unit = {};
  cases::Range range = {};
  std::optional<double> otherwise = {};  ///< default; required where there is none
  std::string fallback = {};             ///< shown as default of a field that may be absent
  bool flag = false;
  std::string meaning = {};
  /// Where the number that this names is not zero, this one is not zero either.
  std::string positive_with = {};
  std::string below = {};  ///< this one is less than the number that this names
};

struct PairStyle {
  std::string name;
  std::vector<StyleField> settings;      ///< keys of [pair]
  std::vector<StyleField> coefficients;  ///< keys of [[pair.coefficients]]
  bool tabulated = false;                ///< pairs name a table in a file
};

/// Of a form or a sum of two, of this moment: a plugin may have added a form.
/// \throws SelectionError, ArgumentError as PairForms::find
[[nodiscard]] PairStyle pair_style(const std::string& name);

/// What the documentation shows: every form, and one sum, which has the keys of both.
[[nodiscard]] std::vector<PairStyle> documented_pair_styles();

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_PAIR_STYLES_HPP
