#include "apps/tessera/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tessera::command_line {
namespace {

constexpr double left = 58, right = 10, top = 10, bottom = 44;

/// Where a value lies on an axis, 0 to 1.
double share(const Plot::Axis& axis, double value) {
  if (!axis.names.empty()) return (value + 0.5) / static_cast<double>(axis.names.size());
  const auto scale = [&](double v) { return axis.logarithmic ? std::log(v) : v; };
  const double range = scale(axis.high) - scale(axis.low);
  return range > 0 ? std::clamp((scale(value) - scale(axis.low)) / range, 0.0, 1.0) : 0.5;
}

/// Round numbers between the ends of an axis.
std::vector<double> marks(const Plot::Axis& axis) {
  std::vector<double> found;
  const double range = axis.high - axis.low;
  if (!(range > 0)) return {axis.low};
  if (axis.logarithmic && axis.low > 0) {
    for (double decade = std::pow(10, std::floor(std::log10(axis.low))); decade <= axis.high;
         decade *= 10)
      for (const double factor : {1.0, 2.0, 3.0, 5.0, 7.0})
        if (factor * decade >= axis.low && factor * decade <= axis.high)
          found.push_back(factor * decade);
    return found;
  }
  double step = std::pow(10, std::floor(std::log10(range / 3)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (range / (step * factor) <= 5) {
      step *= factor;
      break;
    }
  for (double v = std::ceil(axis.low / step) * step; v <= axis.high + 1e-9 * range; v += step)
    found.push_back(v);
  return found;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

Plot::Plot(Axis x, Axis y, int width, int height)
    : x_(std::move(x)), y_(std::move(y)), width_(width), height_(height) {
  draw_axes();
}

double Plot::place_x(double x) const {
  return left + share(x_, x) * (width_ - left - right);
}

double Plot::place_y(double y) const {
  return height_ - bottom - share(y_, y) * (height_ - top - bottom);
}

void Plot::draw_axes() {
  const double low = height_ - bottom;
  body_ += fmt::format("<path class='axis' d='M{:.1f} {:.1f}V{:.1f}H{:.1f}'/>", left, top, low,
                       width_ - right);
  for (const double v : marks(y_))
    body_ += fmt::format(
        "<path class='grid' d='M{:.1f} {:.1f}H{:.1f}'/><text x='{:.1f}' y='{:.1f}' "
        "text-anchor='end'>{:.4g}</text>",
        left, place_y(v), width_ - right, left - 5, place_y(v) + 4, v);
  if (x_.names.empty())
    for (const double v : marks(x_))
      body_ += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{:.4g}</text>",
                           place_x(v), low + 15, v);
  for (std::size_t n = 0; n < x_.names.size(); ++n)
    body_ += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>",
                         place_x(static_cast<double>(n)), low + 15, escaped(x_.names[n]));
  body_ += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>",
                       0.5 * (left + width_ - right), low + 34, escaped(x_.title));
  body_ += fmt::format(
      "<text transform='translate(13 {:.1f}) rotate(-90)' text-anchor='middle'>{}</text>",
      0.5 * (top + low), escaped(y_.title));
}

void Plot::dot(double x, double y, const std::string& style, const std::string& hint) {
  body_ += fmt::format("<circle class='{}' cx='{:.1f}' cy='{:.1f}' r='3'>", style, place_x(x),
                       place_y(y));
  if (!hint.empty()) body_ += "<title>" + escaped(hint) + "</title>";
  body_ += "</circle>";
}

void Plot::line(const std::vector<std::pair<double, double>>& points, const std::string& style) {
  std::string path;
  for (const auto& [x, y] : points)
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", place_x(x), place_y(y));
  body_ += fmt::format("<path class='{}' d='{}'/>", style, path);
}

void Plot::bar(double x, double low, double high, const std::string& style) {
  body_ += fmt::format("<path class='{}' d='M{:.1f} {:.1f}V{:.1f}'/>", style, place_x(x),
                       place_y(low), place_y(high));
}

std::string Plot::svg() const {
  return fmt::format("<svg viewBox='0 0 {} {}' width='{}' height='{}'>{}</svg>", width_, height_,
                     width_, height_, body_);
}

}  // namespace tessera::command_line
