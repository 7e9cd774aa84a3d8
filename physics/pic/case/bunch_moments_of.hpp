#pragma once

#include <tessera/pic/beam_line/beam_line.hpp>
#include <tessera/pic/case/bunch_section.hpp>

/// \file
/// Second moments of the bunch of a case.

namespace tessera::pic {

/// Fills the covariance of a recipe. Matched moments are those of the optics of `line`
/// (physics/pic/beam_line/optics.hpp), with its dispersion:
///
///     <u u> = beta emittance + (D spread)^2,   <u dpop> = D spread^2,   spread^2 = <dpop dpop>
///
/// \throws InputError where the line has no periodic optics, or emittances make no sense.
void set_covariance(const BunchSection& section, const BeamLine& line, BunchRecipe& recipe);

}  // namespace tessera::pic
