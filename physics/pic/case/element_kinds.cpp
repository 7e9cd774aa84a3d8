#include "physics/pic/case/element_kinds.hpp"

#include <algorithm>
#include <limits>

namespace tessera::pic {
namespace {

/// Value of a key of an entry; `otherwise` if it is missing.
double number_of(const ElementEntry& e, const std::string& key, double otherwise = 0) {
  const auto found = e.numbers.find(key);
  return found == e.numbers.end() ? otherwise : found->second;
}

cases::Field<ElementEntry> number_field(std::string key, std::string unit, cases::Range range,
                                        std::string meaning, std::optional<double> otherwise = {}) {
  return cases::keyed_field(&ElementEntry::numbers, cases::RealKind{},
                            {.name = std::move(key),
                             .unit = std::move(unit),
                             .range = range,
                             .meaning = std::move(meaning),
                             .required = !otherwise},
                            otherwise);
}

cases::Field<ElementEntry> length_field(cases::Range range,
                                        const char* meaning = "length along the beam") {
  return number_field("length", "m", range, meaning);
}
cases::Field<ElementEntry> kicks_field() {
  return cases::field(&ElementEntry::kicks,
                      {.name = "kicks",
                       .range = cases::not_negative,
                       .fallback = "by `lattice.kicks` or `lattice.kick_length`",
                       .meaning = "kicks of space charge in this element, each in the middle of an "
                                  "equal part; 0: none"});
}

cases::Rows<ElementEntry> drift_rows() {
  return {{length_field({}, "length, which may be negative; exact for momenta of any size"),
           kicks_field()}};
}
cases::Rows<ElementEntry> quadrupole_rows() {
  return {{length_field(cases::not_negative),
           number_field("k1", "1/m^2", {}, "gradient over rigidity; positive focuses in x"),
           kicks_field()}};
}
cases::Rows<ElementEntry> dipole_rows() {
  return {
      {length_field(cases::positive, "length of the arc"),
       number_field("angle", "rad", {}, "angle of the sector; positive bends towards negative x"),
       number_field("k1", "1/m^2", {}, "gradient over rigidity", 0.0), kicks_field()}};
}
cases::Rows<ElementEntry> edge_rows() {
  return {
      {number_field("curvature", "1/m", {}, "curvature of the dipole: its angle over its length"),
       number_field("angle", "rad", {},
                    "angle between the edge and the edge of a sector, below pi/2")}};
}
cases::Rows<ElementEntry> solenoid_rows() {
  return {
      {length_field(cases::not_negative),
       number_field("ks", "1/m", {}, "field over rigidity; the edges of the field are included"),
       kicks_field()}};
}
cases::Rows<ElementEntry> thin_quadrupole_rows() {
  return {{number_field("k1l", "1/m", {}, "inverse of the focal length in x")}};
}
cases::Rows<ElementEntry> cavity_rows() {
  return {
      {number_field("voltage", "MV", {}, "amplitude of the voltage of a thin gap"),
       number_field("frequency", "Hz", cases::not_negative, "frequency of the field"),
       number_field("phase", "rad", {},
                    "0: the reference particle gains nothing and a late one gains energy", 0.0)}};
}
cases::Rows<ElementEntry> aperture_rows() {
  return {{cases::choice(&ElementEntry::shape, {ApertureShape::rectangle, ApertureShape::ellipse},
                         {.name = "shape", .meaning = "shape of the opening"}),
           number_field("half_x", "m", cases::positive, "half of the width of the opening"),
           number_field("half_y", "m", cases::positive, "half of the height of the opening"),
           number_field("center_x", "m", {}, "center of the opening", 0.0),
           number_field("center_y", "m", {}, "center of the opening", 0.0)}};
}

void check_matrix(const ElementEntry& e, const cases::TableView& table) {
  if (!e.matrix.empty() && e.matrix.size() != 36)
    throw table.error("matrix", "there are " + std::to_string(e.matrix.size()) +
                                    " numbers, expected 36, row after row");
  if (!e.constant.empty() && e.constant.size() != 6)
    throw table.error("constant",
                      "there are " + std::to_string(e.constant.size()) + " numbers, expected six");
}

void check_matrix_kicks(const ElementEntry& e, const cases::TableView& table) {
  if (e.kicks && *e.kicks > 1) throw table.wrong("kicks", "0 or 1, for a matrix has no parts");
}

cases::Rows<ElementEntry> matrix_rows() {
  return {
      {cases::field(&ElementEntry::matrix, {.name = "matrix",
                                            .type = "36 numbers",
                                            .meaning = "matrix of the six coordinates, row by row",
                                            .required = true}),
       cases::field(&ElementEntry::constant, {.name = "constant",
                                              .type = "6 numbers",
                                              .fallback = "zeros",
                                              .meaning = "vector that is added after the matrix"}),
       number_field("length", "m", cases::not_negative, "length along the beam", 0.0),
       kicks_field()},
      {check_matrix, check_matrix_kicks}};
}

struct ElementKindRow {
  std::string name;
  cases::Rows<ElementEntry> (*rows)();
  BeamElement (*make)(const ElementEntry&, const ElementUnits&);
};

const std::vector<ElementKindRow>& element_kinds() {
  static const std::vector<ElementKindRow> table = {
      {"drift", drift_rows,
       [](const ElementEntry& e, const ElementUnits&) -> BeamElement {
         return Drift{number_of(e, "length")};
       }},
      {"quadrupole", quadrupole_rows,
       [](const ElementEntry& e, const ElementUnits&) -> BeamElement {
         return Quadrupole{number_of(e, "length"), number_of(e, "k1")};
       }},
      {"dipole", dipole_rows,
       [](const ElementEntry& e, const ElementUnits&) -> BeamElement {
         return SectorDipole{number_of(e, "length"), number_of(e, "angle"), number_of(e, "k1")};
       }},
      {"dipole_edge", edge_rows,
       [](const ElementEntry& e, const ElementUnits&) -> BeamElement {
         return DipoleEdge{number_of(e, "curvature"), number_of(e, "angle")};
       }},
      {"solenoid", solenoid_rows,
       [](const ElementEntry& e, const ElementUnits&) -> BeamElement {
         return Solenoid{number_of(e, "length"), number_of(e, "ks")};
       }},
      {"thin_quadrupole", thin_quadrupole_rows,
       [](const ElementEntry& e, const ElementUnits&) -> BeamElement {
         return ThinQuadrupole{number_of(e, "k1l")};
       }},
      {"cavity", cavity_rows,
       [](const ElementEntry& e, const ElementUnits& units) -> BeamElement {
         const double energy = units.charge_state * 1e6 * number_of(e, "voltage");
         return Cavity{relative_energy(energy, units.rest_energy, units.reference),
                       number_of(e, "frequency"), number_of(e, "phase")};
       }},
      {"aperture", aperture_rows,
       [](const ElementEntry& e, const ElementUnits&) -> BeamElement {
         return Aperture{e.shape, number_of(e, "half_x"), number_of(e, "half_y"),
                         number_of(e, "center_x"), number_of(e, "center_y")};
       }},
      {"matrix", matrix_rows, [](const ElementEntry& e, const ElementUnits&) -> BeamElement {
         MatrixElement element;
         for (std::size_t i = 0; i < e.matrix.size(); ++i)
           element.map.matrix[i / 6][i % 6] = e.matrix[i];
         std::copy(e.constant.begin(), e.constant.end(), element.map.constant);
         element.length = number_of(e, "length");
         return element;
       }}};
  return table;
}

const ElementKindRow* find_kind(const std::string& type) {
  const auto found = std::find_if(element_kinds().begin(), element_kinds().end(),
                                  [&](const ElementKindRow& kind) { return kind.name == type; });
  return found == element_kinds().end() ? nullptr : &*found;
}

/// Restricts names to characters that need no quotes in the CSV table of losses.
void check_element_name(const ElementEntry& e, const cases::TableView& table) {
  const bool plain = std::all_of(e.name.begin(), e.name.end(), [](unsigned char c) {
    return c > ' ' && c < 127 && c != ',' && c != '"';
  });
  if (!plain)
    throw table.error("name", "expected ASCII letters and signs without blanks, commas and quotes");
}

}  // namespace

std::string_view name(ApertureShape shape) {
  return shape == ApertureShape::rectangle ? "rectangle" : "ellipse";
}

cases::Rows<ElementEntry> ElementEntry::rows() {
  std::vector<std::string> types;
  cases::Variants<ElementEntry, ElementEntry> by_type;
  for (const ElementKindRow& kind : element_kinds()) {
    types.push_back(kind.name);
    by_type.all.emplace_back("type = \"" + kind.name + '"', kind.rows());
  }
  by_type.of = [](const ElementEntry& e) {
    const ElementKindRow* const kind = find_kind(e.type);
    return kind == nullptr ? cases::Rows<ElementEntry>{} : kind->rows();
  };
  cases::Rows<ElementEntry> rows{
      {cases::choice(&ElementEntry::type, types,
                     {.name = "type", .meaning = "type of the element", .required = true}),
       cases::field(&ElementEntry::name,
                    {.name = "name",
                     .fallback = "the type",
                     .meaning = "name in `lattice.sequence`, in losses and in errors"})},
      {check_element_name}};
  rows.more =
      std::make_shared<const cases::Variants<ElementEntry, ElementEntry>>(std::move(by_type));
  return rows;
}

BeamElement beam_element(const ElementEntry& entry, const ElementUnits& units) {
  const BeamElement element = find_kind(entry.type)->make(entry, units);
  check_beam_element(element);
  return element;
}

}  // namespace tessera::pic
