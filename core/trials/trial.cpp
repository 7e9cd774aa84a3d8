#include "core/trials/trial.hpp"

#include "core/base/error.hpp"
#include "core/base/physical_memory.hpp"
#include "core/base/random.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>

namespace tessera {
namespace {

/// Answers by key. The oldest is discarded first.
struct Answers {
  static constexpr std::size_t most = 128;

  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const void>> known;
  std::deque<std::string> age;
};

Answers& answers() {
  static Answers instance;
  return instance;
}

}  // namespace

Verdict Verdict::measured(double error, double tolerance, std::string detail) {
  return {{},
          error <= tolerance ? Outcome::passed : Outcome::failed,
          error,
          tolerance,
          std::move(detail)};
}

Verdict Verdict::failure(std::string detail) {
  return {{}, Outcome::failed, std::numeric_limits<double>::infinity(), 0, std::move(detail)};
}

Verdict Verdict::refusal(std::string reason) {
  return {{}, Outcome::refused, 0, 0, std::move(reason)};
}

std::string_view name(Verdict::Outcome outcome) {
  switch (outcome) {
    case Verdict::Outcome::passed:
      return "passed";
    case Verdict::Outcome::failed:
      return "failed";
    case Verdict::Outcome::refused:
      return "refused";
  }
  return "unknown";
}

void require_size(const TrialInput& input, std::int64_t size) {
  // Every item needs at least one float. Refuses more items than fit in memory, because allocating
  // their arrays would take very long.
  const std::int64_t most = physical_memory_bytes() / static_cast<std::int64_t>(sizeof(float));
  if (size > most)
    throw InputError(
        {{}, 0, "size", std::to_string(size)},
        "expected at most " + std::to_string(most) + ", the memory of this machine in numbers");
  if (input.any_size && size >= 0) return;
  std::string sizes;
  for (const std::int64_t checked : input.checked) {
    if (checked == size) return;
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(checked);
  }
  throw InputError({{}, 0, "size", std::to_string(size)},
                   input.any_size
                       ? "expected 0 or more"
                       : "expected " + sizes + ": input '" + input.name + "' has no other size");
}

const TrialSource::Column* TrialSource::column(const std::string& column_name) const {
  const auto at = columns.find(column_name);
  return at == columns.end() ? nullptr : &at->second;
}

void TrialBase::sample(std::int64_t most) {
  sampled_.clear();
  const std::int64_t all = targets();
  if (most <= 0 || most >= all) return;
  // One item from each of `most` equal parts: ascending, and every part is represented.
  RandomSequence random(4096);
  for (std::int64_t s = 0; s < most; ++s) {
    const std::int64_t first = all * s / most;
    const auto width = static_cast<std::uint64_t>(all * (s + 1) / most - first);
    sampled_.push_back(first + static_cast<std::int64_t>(random() % width));
  }
}

void TrialBase::identify(std::string label, std::string key) {
  label_ = std::move(label);
  key_ = std::move(key);
}

void TrialBase::reset(std::uint64_t order) {
  order_.resize(static_cast<std::size_t>(items_));
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  if (order != 0) {
    // Does not use std::shuffle, whose results differ between standard libraries.
    RandomSequence random(order);
    const auto split = static_cast<std::size_t>(targets());
    for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, split},
                                     std::pair<std::size_t, std::size_t>{split, order_.size()}})
      for (std::size_t i = end - begin; i > 1; --i)
        std::swap(order_[begin + i - 1], order_[begin + random() % i]);
  }
  other_poison_ = !other_poison_;
  for (const auto& array : arrays_)
    array->place(order_, other_poison_ ? 0xff : 0x3c);
  reordered();
}

Verdict TrialBase::judge() {
  context_.fence();
  std::string fault;
  for (const auto& array : arrays_) {
    const std::string found = array->fetch();
    if (fault.empty()) fault = found;
  }
  Verdict verdict = fault.empty() ? compare() : Verdict::failure(fault);
  verdict.input = label_;
  return verdict;
}

std::vector<unsigned char> TrialBase::bits() const {
  std::vector<unsigned char> all;
  for (const auto& array : arrays_)
    array->append_bits(all);
  return all;
}

std::shared_ptr<const void> TrialBase::known_reference(const std::string& key) {
  const std::lock_guard<std::mutex> lock(answers().mutex);
  const auto at = answers().known.find(key);
  return at == answers().known.end() ? nullptr : at->second;
}

void TrialBase::remember_reference(const std::string& key, std::shared_ptr<const void> answer) {
  Answers& all = answers();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (all.known.emplace(key, std::move(answer)).second) all.age.push_back(key);
  if (all.age.size() > Answers::most) {
    all.known.erase(all.age.front());
    all.age.pop_front();
  }
}

}  // namespace tessera
