#include "apps/tessera/tune_report.hpp"

#include "apps/tessera/svg.hpp"
#include "core/tuning/search_points.hpp"
#include "core/tuning/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tessera::command_line {
namespace {

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>tessera tune</title><style>
body { font: 14px sans-serif; margin: 2em auto; max-width: 1340px; color: #222; }
h2 { margin-top: 2em; border-top: 1px solid #ccc; padding-top: 1em; }
table { border-collapse: collapse; } td, th { padding: 2px 12px 2px 0; text-align: left; vertical-align: top; }
figure { display: inline-block; margin: 0 8px 8px 0; } figcaption { font-weight: bold; }
svg { font: 11px sans-serif; } .axis { stroke: #222; fill: none; } .grid { stroke: #e4e4e4; fill: none; }
.all { fill: #4878a8; fill-opacity: .35; } .best { fill: #c44e52; } .untuned { fill: #55a868; }
.sofar { stroke: #c44e52; stroke-width: 2; fill: none; } .spread { stroke: #222; stroke-width: 2; }
</style></head><body><h1>Measurements</h1>
)";

/// Milliseconds or microseconds, whatever gives numbers that can be read.
struct Unit {
  double scale;
  const char* name;
};

Unit unit_of(double seconds) {
  return seconds < 1e-3 ? Unit{1e6, "us"} : Unit{1e3, "ms"};
}

class Page {
 public:
  explicit Page(const Landscape& l)
      : l_(l), points_(l.candidates), unit_(unit_of(l.best_seconds())) {
    for (std::size_t c = 0; c < l.candidates.size(); ++c)
      if (l.measurements[c].counts()) {
        counted_.push_back(c);
        slowest_ = std::max(slowest_, time(c));
        if (best_ == none || time(c) < time(best_)) best_ = c;
      }
  }

  std::string html() {
    title();
    if (!counted_.empty()) {
      so_far();
      for (std::size_t d = 0; d < points_.directions().size(); ++d)
        if (points_.directions()[d].values > 1) along(points_.directions()[d].name);
      comparison();
    }
    refused();
    rejected();
    return out_;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[nodiscard]] double time(std::size_t c) const {
    return unit_.scale * l_.measurements[c].seconds;
  }

  void title() {
    std::size_t known = 0;
    for (const Measurement& m : l_.measurements)
      known += m.known() ? 1 : 0;
    out_ += fmt::format(
        "<h2>{} in {}, {}</h2><p>{}, Tessera {}, {}. Strategy {}: {} of {} "
        "candidates measured, {} of them rejected.</p>",
        escaped(l_.operation), escaped(l_.precision), escaped(l_.input), escaped(l_.device),
        escaped(l_.build), escaped(l_.date), escaped(l_.strategy), known, l_.candidates.size(),
        known - counted_.size());
    if (best_ == none) return;
    out_ += "<table><tr><th></th><th>a step</th><th>parameters</th></tr>";
    const auto row = [&](const char* name, std::size_t c) {
      if (!l_.measurements[c].counts()) return;
      out_ += fmt::format("<tr><td>{}</td><td>{:.4g} {} &plusmn; {:.1f} %</td><td>{}</td></tr>",
                          name, time(c), unit_.name, 50 * l_.measurements[c].spread,
                          escaped(to_string(l_.candidates[c])));
    };
    row("untuned", 0);
    row("fastest measured", best_);
    out_ += "</table>";
  }

  void figure(const std::string& caption, const Plot& plot) {
    out_ += "<figure><figcaption>" + escaped(caption) + "</figcaption>" + plot.svg() + "</figure>";
  }

  void so_far() {
    std::vector<std::pair<double, double>> steps;
    std::vector<std::pair<double, double>> dots;
    double best = 0;
    for (std::size_t k = 0; k < l_.order.size(); ++k) {
      const Measurement& m = l_.measurements[l_.order[k]];
      const double speed = m.counts() ? l_.best_seconds() / m.seconds : 0;
      const auto at = static_cast<double>(k + 1);
      if (m.counts()) dots.emplace_back(at, speed);
      if (!steps.empty()) steps.emplace_back(at, best);
      best = std::max(best, speed);
      steps.emplace_back(at, best);
    }
    Plot plot({"evaluations", 0, std::max(1.0, static_cast<double>(l_.order.size()))},
              {"speed over the fastest", 0, 1.05});
    for (const auto& [x, y] : dots)
      plot.dot(x, y, "all");
    plot.line(steps, "sofar");
    figure("Best so far", plot);
  }

  [[nodiscard]] static std::string value_of(const Candidate& c, const std::string& direction) {
    if (direction == "implementation") return c.implementation;
    const auto at = c.parameters.find(direction);
    return at == c.parameters.end() ? std::string() : to_string(at->second);
  }

  /// Times by the values of one parameter, whatever the others; the fastest of each with the range
  /// in which half of its samples lie.
  void along(const std::string& direction) {
    std::vector<std::string> names;
    std::vector<ParameterValue> values;
    std::map<std::string, std::size_t> fastest;
    for (const std::size_t c : counted_) {
      const std::string value = value_of(l_.candidates[c], direction);
      if (value.empty()) continue;
      const auto [at, first] = fastest.try_emplace(value, c);
      if (first) names.push_back(value);
      if (time(c) < time(at->second)) at->second = c;
    }
    if (names.size() < 2) return;
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      char* end_a = nullptr;
      char* end_b = nullptr;
      const double x = std::strtod(a.c_str(), &end_a);
      const double y = std::strtod(b.c_str(), &end_b);
      return *end_a == '\0' && *end_b == '\0' ? x < y : a < b;
    });
    const auto wide = static_cast<int>(names.size()) * (direction == "implementation" ? 110 : 40);
    Plot plot({direction, 0, 1, false, names},
              {std::string("a step, ") + unit_.name, 0.95 * time(best_), 1.05 * slowest_, true},
              std::max(420, 70 + wide));
    for (std::size_t n = 0; n < names.size(); ++n) {
      const auto x = static_cast<double>(n);
      for (const std::size_t c : counted_)
        if (value_of(l_.candidates[c], direction) == names[n])
          // Side by side, so that many are not taken for few.
          plot.dot(x + 0.5 * (std::fmod(0.618034 * static_cast<double>(c), 1) - 0.5), time(c),
                   c == 0 ? "untuned" : "all",
                   fmt::format("{}: {:.4g} {}", to_string(l_.candidates[c]), time(c), unit_.name));
      const std::size_t c = fastest[names[n]];
      const double half = 0.5 * l_.measurements[c].spread;
      plot.bar(x, time(c) * (1 - half), time(c) * (1 + half), "spread");
      plot.dot(
          x, time(c), "best",
          fmt::format("fastest: {}: {:.4g} {}", to_string(l_.candidates[c]), time(c), unit_.name));
    }
    figure(direction, plot);
  }

  void comparison() {
    if (l_.compared.empty()) return;
    out_ +=
        "<h3>Comparison at the end</h3><p>Time divided by that of the untuned candidate in the "
        "same round: median and the range of half of the rounds. The untuned candidate against "
        "itself is the noise.</p><table><tr><th>median</th><th>half of "
        "them</th><th>rounds</th><th></th></tr>";
    for (const auto& [c, ratios] : l_.compared)
      if (!ratios.empty())
        out_ += fmt::format(
            "<tr><td>{:.4f}</td><td>{:.4f} to {:.4f}</td><td>{}</td><td>{}</td></tr>",
            median_of(ratios), quantile_of(ratios, 0.25), quantile_of(ratios, 0.75), ratios.size(),
            escaped(to_string(l_.candidates[c]) + (c == 0 ? " (untuned)" : "")));
    out_ += "</table>";
  }

  void refused() {
    if (l_.refused.empty()) return;
    out_ += "<h3>Cannot run this problem</h3><ul>";
    for (const RefusedCandidates& one : l_.refused)
      out_ += "<li>" + escaped(to_string(one)) + "</li>";
    out_ += "</ul>";
  }

  void rejected() {
    std::string rows;
    for (std::size_t c = 0; c < l_.candidates.size(); ++c) {
      const Measurement& m = l_.measurements[c];
      if (m.known() && !m.counts())
        rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", name(m.outcome),
                            escaped(to_string(l_.candidates[c])), escaped(m.reason));
    }
    if (!rows.empty())
      out_ += "<h3>Rejected</h3><table><tr><th>outcome</th><th>candidate</th><th>reason</th></tr>" +
              rows + "</table>";
  }

  const Landscape& l_;
  SearchPoints points_;
  Unit unit_;
  std::vector<std::size_t> counted_;
  std::size_t best_ = none;
  double slowest_ = 0;
  std::string out_;
};

}  // namespace

std::string tuning_page(const std::vector<Landscape>& searches) {
  std::string page = head;
  for (const Landscape& l : searches)
    page += Page(l).html();
  return page + "</body></html>\n";
}

}  // namespace tessera::command_line
