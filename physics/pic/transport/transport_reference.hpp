#ifndef TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_REFERENCE_HPP

#include "physics/pic/transport/transport.hpp"

namespace tessera::pic {

/// The oracle of pic/transport: by velocities and times of flight, in the longest numbers that the
/// host has.
/// \param magnitudes where it is given, particles x 6: sizes of what a coordinate was added up of.
template <class Storage>
void transport_oracle(const TransportArgs<Storage>& args, double* magnitudes);

template <class Storage>
void transport_reference(const TransportProblem& problem, const TransportArgs<Storage>& args);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_REFERENCE_HPP
