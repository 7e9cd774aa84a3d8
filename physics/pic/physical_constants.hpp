#pragma once

/// \file
/// Constants that are exact by definition (Bureau International des Poids et Mesures, "The
/// International System of Units", 9th edition (2019)).

namespace tessera::pic {

inline constexpr double speed_of_light = 299792458;           ///< m/s
inline constexpr double elementary_charge = 1.602176634e-19;  ///< C

}  // namespace tessera::pic
