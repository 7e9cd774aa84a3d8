#ifndef TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_REFERENCE_HPP

#include "physics/pic/transport/transport.hpp"

namespace tessera::pic {

/// Oracle of pic/transport: by velocities and times of flight, in the widest floating-point type of
/// the host.
/// \param magnitudes particles x 6, or null: for each coordinate the sum of the magnitudes of its
/// terms.
template <class Storage>
void transport_oracle(const TransportArgs<Storage>& args, double* magnitudes);

template <class Storage>
void transport_reference(const TransportProblem& problem, const TransportArgs<Storage>& args);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_REFERENCE_HPP
