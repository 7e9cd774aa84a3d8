#ifndef TESSERA_PHYSICS_PIC_CASE_BUNCH_MOMENTS_OF_HPP
#define TESSERA_PHYSICS_PIC_CASE_BUNCH_MOMENTS_OF_HPP

#include "physics/pic/beam_line/beam_line.hpp"
#include "physics/pic/case/bunch_section.hpp"

/// \file
/// Second moments of the bunch of a case.

namespace tessera::pic {

/// Fills the covariance of a description. Matched moments follow from the optics of `line`
/// (physics/pic/beam_line/optics.hpp), with its dispersion D:
///
///     <u u> = beta emittance + (D spread)^2,   <u dpop> = D spread^2,   spread^2 = <dpop dpop>
///
/// \throws InputError if the line has no periodic optics, or emittances are invalid.
void set_covariance(const BunchSection& section, const BeamLine& line,
                    BunchDescription& description);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_BUNCH_MOMENTS_OF_HPP
