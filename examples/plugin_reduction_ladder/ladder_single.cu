#include "add_steps.cuh"

namespace ladder {

template void add_steps<tessera::Single>(tessera::Registry&);

}  // namespace ladder
