#include "core/operations/argument_check.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "core/execution/host_memory.hpp"
#include "core/memory/copy_view.hpp"
#include "core/memory/device_checks.hpp"

#include <cmath>
#include <string>

namespace tessera {
namespace {

std::string shape(const std::int64_t* extents, int rank) {
  std::string text;
  for (int r = 0; r < rank; ++r)
    text += (r > 0 ? " x " : "") + std::to_string(extents[r]);
  return rank == 1 ? text + (extents[0] == 1 ? " element" : " elements") : text;
}

}  // namespace

void ArgumentCheck::refuse(const char* name, const std::string& text) const {
  throw ArgumentError(std::string(operation_), name, text);
}

void ArgumentCheck::refuse_number(const char* name, double value, const char* expected) const {
  refuse(name, shortest_number(value) + ", " + expected);
}

void ArgumentCheck::require_shape(const char* name, const std::int64_t* extents,
                                  const std::int64_t* expected, int rank) const {
  bool same = true;
  bool sound = true;
  bool empty = false;
  bool none_expected = false;
  for (int r = 0; r < rank; ++r) {
    same = same && extents[r] == expected[r];
    sound = sound && extents[r] >= 0;
    empty = empty || extents[r] == 0;
    none_expected = none_expected || expected[r] == 0;
  }
  // Two shapes without elements match, whatever their other extents.
  if (none_expected && empty && sound) return;
  if (!same) refuse(name, shape(extents, rank) + ", expected " + shape(expected, rank));
  refuse(name, "a null pointer for " + shape(extents, rank));
}

void ArgumentCheck::refuse_too_short(const char* name, const void* data, std::int64_t extent,
                                     std::int64_t least) const {
  if (data == nullptr && extent >= least) refuse(name, "a null pointer for " + shape(&extent, 1));
  refuse(name, shape(&extent, 1) + ", expected at least " + std::to_string(least));
}

void ArgumentCheck::refuse_unprepared(const char* name, std::int64_t value,
                                      std::int64_t prepared) const {
  refuse(name, std::to_string(value) + ", expected " + std::to_string(prepared) +
                   " as in the last prepare");
}

void ArgumentCheck::register_first(const char* name, const void* data, const void* low,
                                   const void* high, std::size_t alignment, bool on_host,
                                   bool no_overlap) const {
  if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0)
    refuse(name, "its address is not a multiple of " + std::to_string(alignment) +
                     ", the alignment of its elements");
  if (!no_overlap) refuse(name, "a stride of 0, expected a separate address for each element");
  const Device& device = known_arrays_->context_.opened();
  for (const void* end : {low, high}) {
    if (on_host ? host_memory::readable(end) : device.checks().reaches(end)) continue;
    refuse(name, "kernels cannot reach its memory, expected memory of the " +
                     (on_host ? std::string("host")
                              : "backend " + device.properties().backend + " (" +
                                    std::string(tessera::name(device.memory())) + ")"));
  }
}

void ArgumentCheck::check_contents() {
  const Context& context = known_arrays_->context_;
  Device& device = context.opened();
  if (!ranges_.empty()) {
    if (!known_arrays_->index_validator_)
      known_arrays_->index_validator_ = device.checks().make_index_validator(context.stream);
    std::vector<IndexRange> ranges;
    for (const Range& r : ranges_)
      ranges.push_back(r.range);
    const std::vector<std::int64_t> wrong = known_arrays_->index_validator_->first_invalid(ranges);
    for (std::size_t k = 0; k < wrong.size(); ++k) {
      const auto& [name, place, range] = ranges_[k];
      if (wrong[k] >= 0) {
        std::int32_t value = 0;
        device.copy_to_host(&value, &range.values(wrong[k]), sizeof value, context.stream);
        const bool in_range = value >= range.lower && value < range.upper;
        refuse(name, "element " + std::to_string(wrong[k]) + " is " + std::to_string(value) +
                         (in_range          ? ", expected no less than the element before"
                          : range.upper > 0 ? ", expected " + std::to_string(range.lower) + " to " +
                                                  std::to_string(range.upper - 1)
                                            : ", expected none"));
      }
      known_arrays_->arrays_[place] = {range.values.data, range.values.extents[0],
                                       range.values.strides[0]};
    }
  }
  for (const auto& [name, place, view] : numbers_) {
    const std::vector<double> values = to_host(context, view);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!(values[i] >= 0) || !std::isfinite(values[i]))
        refuse(name, "element " + std::to_string(i) + " is " + shortest_number(values[i]) +
                         ", expected a finite number not below zero");
    known_arrays_->arrays_[place] = {view.data, view.extents[0], view.strides[0]};
  }
}

void ArgumentCheck::too_many() const {
  throw ArgumentError(std::string(operation_), "its check",
                      "names more than " + std::to_string(KnownArrays::most) + " arrays");
}

void require_count(std::string_view operation, const char* name, std::int64_t value,
                   std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return;
  throw ArgumentError(
      std::string(operation), name,
      std::to_string(value) + ", expected " + std::to_string(least) +
          (most == std::numeric_limits<std::int64_t>::max() ? " or more"
                                                            : " to " + std::to_string(most)));
}

}  // namespace tessera
