#include "add_steps.cuh"

namespace ladder {

template void add_steps<tessera::Double>(tessera::Registry&);

}  // namespace ladder
