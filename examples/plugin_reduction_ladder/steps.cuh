#pragma once

#include "loads.cuh"
#include "trees.cuh"

#include <tuple>

/// \file
/// The ladder: each step differs from the previous one either in its load or in its tree.

namespace ladder {

template <class LoadOf, class TreeOf>
struct Step {
  using Load = LoadOf;
  using Tree = TreeOf;
  /// Whether the kernels are compiled for each of BlockSizes.
  static constexpr bool knows_block = Load::knows_block || Tree::knows_block;
};

struct Step1 : Step<OneRow, DivergentTree> {
  static constexpr const char* name = TESSERA_PLUGIN_NAME "_1";
  static constexpr const char* description = "interleaved addressing with divergent branching";
};
struct Step2 : Step<OneRow, ConflictTree> {
  static constexpr const char* name = TESSERA_PLUGIN_NAME "_2";
  static constexpr const char* description = "interleaved addressing with bank conflicts";
};
struct Step3 : Step<OneRow, SequentialTree> {
  static constexpr const char* name = TESSERA_PLUGIN_NAME "_3";
  static constexpr const char* description = "sequential addressing";
};
struct Step4 : Step<TwoRows, SequentialTree> {
  static constexpr const char* name = TESSERA_PLUGIN_NAME "_4";
  static constexpr const char* description = "first addition during the load";
};
struct Step5 : Step<TwoRows, LastWarpTree> {
  static constexpr const char* name = TESSERA_PLUGIN_NAME "_5";
  static constexpr const char* description = "last warp unrolled";
};
struct Step6 : Step<TwoRows, UnrolledTree> {
  static constexpr const char* name = TESSERA_PLUGIN_NAME "_6";
  static constexpr const char* description = "completely unrolled";
};
struct Step7 : Step<ManyRows, UnrolledTree> {
  static constexpr const char* name = TESSERA_PLUGIN_NAME "_7";
  static constexpr const char* description = "many rows a thread";
};

using Steps = std::tuple<Step1, Step2, Step3, Step4, Step5, Step6, Step7>;

}  // namespace ladder
