#include "backends/emulated/execution/thread_order.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <string>

namespace tessera::emulated {
namespace {

constexpr const char* variable = "TESSERA_EMULATED_ORDER";

/// The next number of the generator splitmix64.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

ThreadOrder ThreadOrder::of_environment() {
  ThreadOrder order;
  const char* const given = std::getenv(variable);
  const std::string text = given == nullptr ? "forward" : given;
  if (text == "forward") return order;
  order.kind_ = Kind::backward;
  if (text == "backward") return order;
  order.kind_ = Kind::random;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, order.state_);
  if (error != std::errc{} || stop != end)
    throw InputError({{}, 0, variable, text}, "expected forward, backward or a number");
  return order;
}

void ThreadOrder::arrange(std::span<unsigned> places) {
  std::iota(places.begin(), places.end(), 0u);
  if (kind_ == Kind::backward) std::reverse(places.begin(), places.end());
  if (kind_ != Kind::random) return;
  for (std::size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[next_random(state_) % i]);
}

}  // namespace tessera::emulated
