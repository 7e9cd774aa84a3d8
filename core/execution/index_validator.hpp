#ifndef TESSERA_CORE_EXECUTION_INDEX_VALIDATOR_HPP
#define TESSERA_CORE_EXECUTION_INDEX_VALIDATOR_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/memory/device_checks.hpp"

#include <cstdint>
#include <limits>
#include <vector>

/// \file
/// IndexValidator on an ExecutionSpace: one reduction for each array.

namespace tessera {

struct InvalidIndex {
  IndexRange range;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t& first) const {
    const std::int64_t value = range.values(i);
    const bool wrong = value < range.lower || value >= range.upper ||
                       (range.ascending && i > 0 && value < range.values(i - 1));
    if (wrong && i < first) first = i;
  }
};

struct LowerIndex {
  TESSERA_FUNCTION void operator()(std::int64_t& into, const std::int64_t& from) const {
    if (from < into) into = from;
  }
};

template <ExecutionSpace Space>
class SpaceIndexValidator final : public IndexValidator {
 public:
  explicit SpaceIndexValidator(const Space& space)
      : space_(space), found_(space), workspace_(space) {}

  [[nodiscard]] std::vector<std::int64_t> first_invalid(
      const std::vector<IndexRange>& ranges) override {
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    found_.require(static_cast<std::int64_t>(ranges.size()));
    for (const IndexRange& range : ranges)
      workspace_.require(Space::template reduce_bytes<std::int64_t>(range.values.extent(0)));
    std::int64_t* at = found_.data();
    for (const IndexRange& range : ranges)
      space_.reduce("look at indices", range.values.extent(0), none, InvalidIndex{range},
                    LowerIndex{}, at++, workspace_.get());
    std::vector<std::int64_t> places(ranges.size());
    space_.copy_to_host(places.data(), found_.data(), places.size() * sizeof(std::int64_t));
    for (std::int64_t& place : places)
      if (place == none) place = -1;
    return places;
  }

 private:
  Space space_;
  Buffer<std::int64_t, Space> found_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_INDEX_VALIDATOR_HPP
