#include "core/base/error.hpp"
#include "physics/md/io/elements.hpp"
#include "physics/md/io/extended_xyz.hpp"
#include "physics/md/io/number_text.hpp"

#include <set>
#include <string_view>
#include <utility>

namespace tessera::md {
namespace {

// Longer frames are written in pieces of this size, which bounds the memory.
constexpr std::size_t piece_size = std::size_t{1} << 26;

template <class Row>
void append_row(std::string& text, const Row& row) {
  for (const auto component : row) {
    text += ' ';
    append_number(text, component);
  }
}

constexpr std::string_view velocities = "velocities";

std::string property_of(const std::string& column) {
  if (column == velocities) return "velo";
  if (column == "charges") return "charge";
  return column;
}

bool is_velocity(const HostColumn& column) {
  return column.name == velocities && column.components == 3 && column.values.index() == 0;
}

/// Appends mass times velocity, and the mass.
void append_momentum(std::string& text, std::span<const double> velocity, double mass,
                     double ase_velocity) {
  for (const double v : velocity) {
    text += ' ';
    append_number(text, mass * v / ase_velocity);
  }
  text += ' ';
  append_number(text, mass);
}

}  // namespace

void ExtendedXyzWriter::check_types(const std::vector<AtomType>& types) {
  if (types.size() > element_count)
    throw ArgumentError("extended XYZ: " + std::to_string(types.size()) +
                        " types, expected at most " + std::to_string(element_count) +
                        ", the number of elements");
  for (const AtomType& type : types)
    if (type.name.find_first_of(" \t\r\n\v\f\"=") != std::string::npos)
      throw ArgumentError("extended XYZ: type '" + type.name +
                          "', expected a name without blanks, quotes and '='");
}

ExtendedXyzWriter::ExtendedXyzWriter(OutputFile file, const std::vector<AtomType>& types)
    : file_(std::move(file)) {
  check_types(types);
  std::set<std::string, std::less<>> used;
  for (const AtomType& type : types) {
    if (is_element(type.name)) used.insert(type.name);
  }
  int next = 1;
  for (const AtomType& type : types) {
    masses_.push_back(type.mass);
    if (is_element(type.name)) {
      species_.push_back(type.name);
      continue;
    }
    while (next < element_count && used.contains(element_symbol(next)))
      ++next;
    species_.emplace_back(element_symbol(next));
    used.insert(species_.back());
    type_names_ += (type_names_.empty() ? "" : " ") + species_.back() + "=" + type.name;
  }
}

void ExtendedXyzWriter::check(const Frame& frame) const {
  const std::size_t atoms = frame.positions.size();
  const auto expect = [&](std::size_t size, const char* what) {
    if (size == atoms) return;
    throw ArgumentError("ExtendedXyzWriter: " + std::to_string(size) + " " + what + " for " +
                        std::to_string(atoms) + " positions");
  };
  expect(frame.ids.size(), "ids");
  expect(frame.type.size(), "types");
  for (const HostColumn& column : frame.columns) {
    const auto components = static_cast<std::size_t>(column.components);
    const std::size_t size =
        std::visit([](const auto& values) { return values.size(); }, column.values);
    expect(size / components, column.name.c_str());
    if (size % components != 0)
      throw ArgumentError("ExtendedXyzWriter: " + std::to_string(size) + " numbers in the column " +
                          column.name + " of " + std::to_string(components) + " components");
  }
}

const std::string& ExtendedXyzWriter::species_of(const Frame& frame, std::size_t atom) const {
  const std::int32_t type = frame.type[atom];
  if (type < 0 || static_cast<std::size_t>(type) >= species_.size()) {
    throw ArgumentError("ExtendedXyzWriter: atom " + std::to_string(atom) + " has type " +
                        std::to_string(type) + ", expected 0 to " +
                        std::to_string(std::ssize(species_) - 1));
  }
  return species_[static_cast<std::size_t>(type)];
}

void ExtendedXyzWriter::append_comment(const Frame& frame) {
  text_ += "Lattice=\"";
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      if (row + column > 0) text_ += ' ';
      const Vec3<double> edge = frame.box.edge(row);
      const double entry = column == 0 ? edge.x : column == 1 ? edge.y : edge.z;
      if (entry != 0) {
        append_number(text_, entry);
      } else {
        text_ += "0.0";
      }
    }
  }
  text_ += "\" Origin=\"";
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) text_ += ' ';
    append_number(text_, frame.box.lower[axis]);
  }
  text_ += "\" pbc=\"";
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) text_ += ' ';
    text_ += frame.box.periodic[axis] ? 'T' : 'F';
  }
  text_ += "\" Properties=species:S:1:pos:R:3";
  for (const HostColumn& column : frame.columns) {
    text_ += ":" + property_of(column.name) + (column.values.index() == 0 ? ":R:" : ":I:") +
             std::to_string(column.components);
    if (is_velocity(column)) text_ += ":momenta:R:3:masses:R:1";
  }
  text_ += ":id:I:1 Step=" + std::to_string(frame.step) + " Time=";
  append_number(text_, frame.time);
  if (frame.potential_energy) {
    text_ += " energy=";
    append_number(text_, *frame.potential_energy);
  }
  for (const auto& [name, energy] : frame.energies) {
    text_ += " " + name + "=";
    append_number(text_, energy);
  }
  if (!type_names_.empty()) text_ += " type_names=\"" + type_names_ + "\"";
  text_ += '\n';
}

void ExtendedXyzWriter::write(const Frame& frame) {
  check(frame);
  const std::int64_t start = file_.size();
  text_ = std::to_string(frame.positions.size()) + "\n";
  append_comment(frame);
  try {
    for (std::size_t i = 0; i < frame.positions.size(); ++i) {
      text_ += species_of(frame, i);
      append_row(text_, frame.positions[i]);
      for (const HostColumn& column : frame.columns) {
        const auto components = static_cast<std::size_t>(column.components);
        std::visit(
            [&](const auto& values) {
              append_row(text_, std::span(values).subspan(i * components, components));
            },
            column.values);
        if (is_velocity(column))
          append_momentum(text_,
                          std::span(std::get<std::vector<double>>(column.values)).subspan(3 * i, 3),
                          masses_[static_cast<std::size_t>(frame.type[i])], frame.ase_velocity);
      }
      text_ += ' ';
      append_number(text_, frame.ids[i]);
      text_ += '\n';
      if (text_.size() >= piece_size) {
        file_.append(text_);
        text_.clear();
      }
    }
    file_.append(text_);
  } catch (...) {
    if (file_.size() > start) file_.cut_back(start);
    throw;
  }
}

}  // namespace tessera::md
