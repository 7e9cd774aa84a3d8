#ifndef TESSERA_PHYSICS_REDUCTION_ROW_WEIGHTS_CHECK_HPP
#define TESSERA_PHYSICS_REDUCTION_ROW_WEIGHTS_CHECK_HPP

#include "core/operations/argument_check.hpp"

/// \file
/// Checks of weights, their classes and the mask of an operation over rows.

namespace tessera::reduction {

/// Checks arguments with `weights` by row or, with `weight_class`, by class, and a `mask` by row;
/// each is optional.
template <class Args>
void check_row_weights(ArgumentCheck& check, const Args& args, std::int64_t rows) {
  const bool by_class = args.weight_class.given();
  check.optional("weight_class", args.weight_class, {rows});
  check.optional("weights", args.weights, {by_class || rows == 0 ? args.weights.extents[0] : rows});
  check.optional("mask", args.mask, {rows});
  const std::int64_t classes = check.rows("weights", args.weights);
  check.require(args.weights.given() || !by_class || rows == 0, "weight_class",
                "given without weights");
  check.indices("weight_class", args.weight_class, classes);
}

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_ROW_WEIGHTS_CHECK_HPP
