#include "backends/emulated/execution/block_threads.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace tessera::emulated {
namespace {

[[noreturn]] void fail(std::string message) {
  throw Failure{std::move(message)};
}

}  // namespace

void BlockThreads::start(unsigned block, unsigned threads, ThreadOrder& order) {
  block_ = block;
  threads_ = threads;
  order.arrange(lane_at_);
  for (unsigned place = 0; place < lanes; ++place)
    place_of_lane_[lane_at_[place]] = place;
  warps_ = (threads_ + lanes - 1) / lanes;
  order.arrange(std::span(warp_at_).first(warps_));
  for (unsigned w = 0; w < warps_; ++w) {
    Warp& warp = warp_[w];
    warp.all = 0;
    for (unsigned lane = 0; lane < lanes && w * lanes + lane < threads_; ++lane)
      warp.all |= LaneMask{1} << place_of_lane_[lane];
    warp.runnable = warp.all;
    warp.exited = warp.arrived = warp.looking = 0;
    warp.round = 0;
  }
  worker_of_.fill(nullptr);
  fenced_.fill(false);
  arrived_ = exited_ = round_ = 0;
  warp_now_ = warp_at_[0];
}

bool BlockThreads::find_warp() {
  const auto end = warp_at_.begin() + warps_;
  const auto found =
      std::find_if(warp_at_.begin(), end, [&](unsigned w) { return warp_[w].runnable != 0; });
  if (found == end) return false;
  warp_now_ = *found;
  return true;
}

bool BlockThreads::look_again() {
  bool any = false;
  for (unsigned w = 0; w < warps_; ++w) {
    Warp& warp = warp_[w];
    any = any || warp.looking != 0;
    warp.runnable |= std::exchange(warp.looking, 0);
  }
  return any;
}

const unsigned* BlockThreads::arrive_at_barrier(bool counts, const Site& site) {
  if (exited_ > 0)
    fail(std::to_string(exited_) + " threads of the block left before others reach " + site.text());
  if (arrived_ == 0) {
    site_ = site;
    count_ = 0;
  } else if (!(site_ == site)) {
    fail("threads of the block wait at " + site_.text() + ", others reach " + site.text());
  }
  ++arrived_;
  if (counts) ++count_;
  unsigned* const counted = &counted_[round_ % 2];
  warp().runnable &= ~bit();
  if (arrived_ == threads_) {
    arrived_ = 0;
    *counted = count_;
    ++round_;
    for (unsigned w = 0; w < warps_; ++w)
      warp_[w].runnable = warp_[w].all;
  }
  return counted;
}

const unsigned char* BlockThreads::arrive_in_warp(const void* value, std::size_t bytes,
                                                  const Site& site) {
  Warp& w = warp();
  if (w.all != ~LaneMask{0})
    fail("thread " + std::to_string(thread_) + " is in a warp of " +
         std::to_string(std::popcount(w.all)) + " lanes, and reaches " + site.text());
  if (w.exited != 0) fail(lanes_text(w.exited) + " left before others reach " + site.text());
  if (w.arrived == 0)
    w.site = site;
  else if (!(w.site == site))
    fail(lanes_text(w.arrived) + " wait at " + w.site.text() + ", thread " +
         std::to_string(thread_) + " reaches " + site.text());
  unsigned char* const values = w.values[w.round % 2];
  // Byte by byte, because ThreadSanitizer sees calls of memcpy().
  const auto* const from = static_cast<const volatile unsigned char*>(value);
  for (std::size_t i = 0; i < bytes; ++i)
    values[thread_ % lanes * most_lane_bytes + i] = from[i];
  w.arrived |= bit();
  w.runnable &= ~bit();
  if (w.arrived == w.all) {
    w.arrived = 0;
    w.runnable = w.all;
    ++w.round;
  }
  return values;
}

void BlockThreads::wait_on_memory(const Site& site) {
  Warp& w = warp();
  w.looking_at = site;
  w.looking |= bit();
  w.runnable &= ~bit();
}

void BlockThreads::leave() {
  Warp& w = warp();
  w.exited |= bit();
  w.runnable &= ~bit();
  worker_of_[thread_] = nullptr;
  ++exited_;
  if (w.arrived != 0)
    fail("thread " + std::to_string(thread_) + " left while " + lanes_text(w.arrived) +
         " wait at " + w.site.text());
  if (arrived_ != 0)
    fail("thread " + std::to_string(thread_) + " left while " + std::to_string(arrived_) +
         " threads of the block wait at " + site_.text());
}

std::string BlockThreads::lanes_text(LaneMask places) const {
  return std::to_string(std::popcount(places)) + " lanes of warp " +
         std::to_string(thread_ / lanes);
}

std::string BlockThreads::waits() const {
  std::string text;
  if (arrived_ > 0) text = std::to_string(arrived_) + " threads at " + site_.text();
  const auto add = [&](unsigned w, LaneMask places, const Site& site) {
    if (places == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(std::popcount(places)) + " lanes of warp " +
            std::to_string(w) + " at " + site.text();
  };
  for (unsigned w = 0; w < warps_; ++w) {
    add(w, warp_[w].arrived, warp_[w].site);
    add(w, warp_[w].looking, warp_[w].looking_at);
  }
  return text;
}

}  // namespace tessera::emulated
