#ifndef TESSERA_PHYSICS_REDUCTION_ROW_WEIGHTS_CHECK_HPP
#define TESSERA_PHYSICS_REDUCTION_ROW_WEIGHTS_CHECK_HPP

#include "core/operations/argument_check.hpp"

/// \file
/// Declaration and check of weights, their classes and the mask of an operation over rows.

namespace tessera::reduction {

/// Declares arguments with `weights` by row or, with `weight_class`, by class, and a `mask` by row;
/// each is optional.
template <class Visit, class Args>
void for_each_row_weight(Visit& visit, Args& args, std::int64_t rows) {
  visit.optional("weight_class", args.weight_class, {rows});
  if (args.weight_class.given() || rows == 0)
    visit.any_rows("weights", args.weights);
  else
    visit.optional("weights", args.weights, {rows});
  visit.optional("mask", args.mask, {rows});
  visit.indices("weight_class", args.weight_class, args.weights.extents[0]);
}

template <class Args>
void check_row_weights(const ArgumentCheck& check, const Args& args, std::int64_t rows) {
  check.require(args.weights.given() || !args.weight_class.given() || rows == 0, "weight_class",
                "given without weights");
}

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_ROW_WEIGHTS_CHECK_HPP
