#include "physics/pic/simulation/tracking_csv.hpp"

#include "core/base/shortest_number.hpp"

namespace tessera::pic {
namespace {

constexpr const char* place_header = "step,turn,element,name,path [m]";

std::string csv_of(const TrackingPosition& place) {
  return std::to_string(place.step) + ',' + std::to_string(place.turn) + ',' +
         std::to_string(place.element) + ',' + place.name + ',' + shortest_number(place.path);
}

}  // namespace

std::string statistics_header() {
  std::string text = place_header;
  for (const StatisticsColumn& column : columns_of(StatisticsRow{}))
    text += ',' + column.name + (column.unit.empty() ? "" : " [" + column.unit + "]");
  return text;
}

std::string csv_of(const StatisticsRow& row) {
  std::string text = csv_of(row.place);
  for (const StatisticsColumn& column : columns_of(row))
    text += ',' + shortest_number(column.value);
  return text;
}

std::string losses_header() {
  return std::string(place_header) + ",cause,id,x [m],xp,y [m],yp,cdt [m],dpop";
}

std::string csv_of(const Loss& loss) {
  std::string text =
      csv_of(loss.place) + ',' + std::string(name(loss.cause)) + ',' + std::to_string(loss.id);
  for (const double coordinate : loss.coordinates)
    text += ',' + shortest_number(coordinate);
  return text;
}

}  // namespace tessera::pic
