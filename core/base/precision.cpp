#include <tessera/core/base/error.hpp>
#include <tessera/core/base/precision.hpp>

namespace tessera {

Precision precision_from_name(std::string_view text) {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single})
    if (name(precision) == text) return precision;
  throw SelectionError("precision", std::string(text), {"double", "mixed", "single"});
}

}  // namespace tessera
