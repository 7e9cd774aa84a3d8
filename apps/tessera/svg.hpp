#ifndef TESSERA_APPS_TESSERA_SVG_HPP
#define TESSERA_APPS_TESSERA_SVG_HPP

#include <string>
#include <vector>

/// \file
/// Small pictures inside of pages.

namespace tessera::command_line {

/// For text between tags and in attributes.
[[nodiscard]] std::string escaped(const std::string& text);

/// A picture with one pair of axes. Coordinates are those of the data.
class Plot {
 public:
  struct Axis {
    std::string title;
    double low = 0;
    double high = 1;
    bool logarithmic = false;
    /// Names at 0, 1, 2, ... instead of numbers.
    std::vector<std::string> names = {};
  };

  Plot(Axis x, Axis y, int width = 420, int height = 260);

  void dot(double x, double y, const std::string& style, const std::string& hint = {});
  void line(const std::vector<std::pair<double, double>>& points, const std::string& style);
  /// From `low` to `high`, upright.
  void bar(double x, double low, double high, const std::string& style);

  [[nodiscard]] std::string svg() const;

 private:
  [[nodiscard]] double place_x(double x) const;
  [[nodiscard]] double place_y(double y) const;
  void draw_axes();

  Axis x_, y_;
  int width_, height_;
  std::string body_;
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_SVG_HPP
