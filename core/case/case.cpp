#include "core/case/case.hpp"

namespace tessera::cases {

bool operator==(const Case& a, const Case& b) {
  return a.kind == b.kind && a.title == b.title && a.precision == b.precision &&
         a.backend == b.backend && a.selection == b.selection && a.parameters == b.parameters &&
         a.sections_ == b.sections_;
}

}  // namespace tessera::cases
