#include "core/base/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace tessera {

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(std::string label, std::int64_t total, bool enabled)
    : label_(std::move(label)), total_(total), enabled_(enabled && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  clear();
}

std::string Progress::line(std::string_view label, std::int64_t done, std::int64_t total,
                           double seconds, std::string_view note) {
  std::string text(label);
  if (total > 0) {
    const double fraction =
        std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
    constexpr std::size_t width = 24;
    const auto filled = static_cast<std::size_t>(fraction * width);
    text += fmt::format(" {:3.0f} % [{}{}]", 100 * fraction, std::string(filled, '='),
                        std::string(width - filled, ' '));
    if (fraction > 0 && fraction < 1)
      text += fmt::format(" {} left", duration_text(seconds * (1 - fraction) / fraction));
  } else {
    text += fmt::format(" {}", done);
  }
  if (!note.empty()) text += fmt::format("  {}", note);
  return text;
}

void Progress::advance_to(std::int64_t done, std::string_view note) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r{}\x1b[K", line(label_, done, total_, seconds, note));
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace tessera
