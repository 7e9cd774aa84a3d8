#include "add_steps.cuh"

namespace ladder {

template void add_steps<tessera::Int32>(tessera::Registry&);

}  // namespace ladder
