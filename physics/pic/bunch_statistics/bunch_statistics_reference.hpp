#ifndef TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_REFERENCE_HPP

#include "physics/pic/bunch_statistics/bunch_statistics.hpp"

namespace tessera::pic {

/// Oracle of pic/bunch_statistics: the corrected two-pass algorithm of the article that
/// bunch_statistics.hpp cites, one loop per number, in the widest floating-point type of the host.
template <class Storage>
void bunch_statistics_reference(const BunchStatisticsProblem& problem,
                                const BunchStatisticsArgs<Storage>& args);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_REFERENCE_HPP
