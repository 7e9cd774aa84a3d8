#ifndef TESSERA_PHYSICS_PIC_PHYSICAL_CONSTANTS_HPP
#define TESSERA_PHYSICS_PIC_PHYSICAL_CONSTANTS_HPP

/// \file
/// Constants of nature: c and e are exact by definition of the units, masses are those of CODATA
/// 2018 (E. Tiesinga et al., Rev. Mod. Phys. 93, 025010 (2021)).

namespace tessera::pic {

inline constexpr double speed_of_light = 299792458;           ///< [m/s]
inline constexpr double elementary_charge = 1.602176634e-19;  ///< [C]

/// Rest energies [eV].
inline constexpr double electron_energy = 0.51099895000e6;
inline constexpr double muon_energy = 105.6583755e6;
inline constexpr double proton_energy = 938.27208816e6;
/// Energy of the negative hydrogen ion: a proton and two electrons, less the binding energies (the
/// ionisation energy of hydrogen, 13.598434 eV, and its electron affinity, 0.754195 eV; NIST).
inline constexpr double hydride_energy = proton_energy + 2 * electron_energy - 13.598434 - 0.754195;

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_PHYSICAL_CONSTANTS_HPP
