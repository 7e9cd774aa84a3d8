#include <cstdio>
#include <string>
#include <tessera/core/base/precision.hpp>
#include <tessera/md/io/number_text.hpp>
#include <utility>
#include <variant>

#include "apps/tessera/case/case_file.hpp"

namespace tessera::app {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04X", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string toml_value(const std::string& text) {
  return quoted(text);
}
std::string toml_value(bool flag) {
  return flag ? "true" : "false";
}
std::string toml_value(std::int64_t integer) {
  return std::to_string(integer);
}
std::string toml_value(std::uint64_t integer) {
  return std::to_string(integer);
}
std::string toml_value(double real) {
  const std::string text = md::shortest_number(real);
  // Without point or exponent it would read back as an integer.
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

template <typename... Types>
std::string toml_value(const std::variant<Types...>& value) {
  return std::visit([](const auto& held) { return toml_value(held); }, value);
}

template <typename Range>
std::string toml_array(const Range& values) {
  std::string text = "[";
  for (const auto& value : values)
    text += (text.size() > 1 ? ", " : "") + toml_value(value);
  return text + "]";
}

class Document {
 public:
  void table(const std::string& header) { text_ += "\n[" + header + "]\n"; }
  void element(const std::string& header) { text_ += "\n[[" + header + "]]\n"; }
  template <typename Value>
  void put(const std::string& key, const Value& value) {
    text_ += key + " = " + toml_value(value) + "\n";
  }
  template <typename Range>
  void put_array(const std::string& key, const Range& values) {
    text_ += key + " = " + toml_array(values) + "\n";
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void put_file(Document& out, const FileSource& source) {
  if (source.format == FileSource::Format::restart) {
    out.put("restart", source.file);
    return;
  }
  const bool xyz = source.format == FileSource::Format::extended_xyz;
  out.put("file", source.file);
  out.put("format", std::string(xyz ? "extxyz" : "lammps-data"));
  if (source.atom_style) out.put("atom_style", std::string(md::name(*source.atom_style)));
  if (xyz) out.put("frame", source.frame);
}

void put_lattice(Document& out, const LatticeSource& source) {
  out.put("lattice", std::string(md::name(source.lattice)));
  if (source.density) out.put("density", *source.density);
  if (source.constant) out.put("lattice_constant", *source.constant);
  out.put_array("cells", source.cells);
  if (!source.site_types.empty()) out.put_array("site_types", source.site_types);
  out.put("jitter", source.jitter);
  out.put("jitter_seed", source.jitter_seed);
}

void put_system(Document& out, const SystemSection& section) {
  out.table("system");
  if (const auto* file = std::get_if<FileSource>(&section.source)) put_file(out, *file);
  if (const auto* lattice = std::get_if<LatticeSource>(&section.source)) put_lattice(out, *lattice);
  if (section.periodic) out.put_array("periodic", *section.periodic);
  for (const TypeEntry& type : section.types) {
    out.element("system.type");
    out.put("name", type.name);
    out.put("mass", type.mass);
  }
}

void put_values(Document& out, const md::PairForm& form, const md::CoefficientValues& values) {
  for (const md::CoefficientField& field : form.fields()) {
    const auto value = values.find(field.name);
    if (value == values.end()) continue;
    if (field.is_flag)
      out.put(field.name, value->second != 0);
    else
      out.put(field.name, value->second);
  }
}

void put_pair(Document& out, const PairSection& section) {
  out.table("pair");
  out.put("style", section.style);
  const md::PairForm form = md::pair_forms().find(section.style);
  put_values(out, form, section.values);
  out.put("mixing", std::string(md::name(section.mixing)));
  for (const CoefficientEntry& entry : section.coefficients) {
    out.element("pair.coefficients");
    out.put_array("types", entry.types);
    put_values(out, form, entry.values);
  }
}

}  // namespace

std::string effective_toml(const Case& c) {
  Document out;
  if (!c.title.empty()) out.put("title", c.title);
  out.put("units", c.units);
  out.put("precision", std::string(name(c.precision)));
  out.put("backend", c.backend);
  put_system(out, c.system);
  if (c.velocities) {
    out.table("velocities");
    out.put("temperature", c.velocities->temperature);
    out.put("seed", c.velocities->seed);
  }
  put_pair(out, c.pair);
  out.table("neighbor");
  out.put("skin", c.neighbor.skin);
  out.put("rebuild", std::string(c.neighbor.every > 0 ? "every" : "displacement"));
  if (c.neighbor.every > 0) out.put("every", c.neighbor.every);
  out.table("run");
  out.put("steps", c.run.steps);
  out.put("time_step", c.run.time_step);
  out.table("thermo");
  out.put("every", c.thermo.every);
  out.put("file", c.thermo.file);
  out.table("trajectory");
  out.put("every", c.trajectory.every);
  out.put("file", c.trajectory.file);
  out.put("velocities", c.trajectory.velocities);
  out.put("forces", c.trajectory.forces);
  out.table("restart");
  out.put("every", c.restart.every);
  out.put("file", c.restart.file);
  if (!c.selection.empty()) out.table("selection");
  for (const auto& [operation, selection] : c.selection) {
    out.put(quoted(operation), selection.implementation);
  }
  for (const auto& [operation, knobs] : c.parameters) {
    out.table("parameters." + quoted(operation));
    for (const auto& [knob, parameter] : knobs)
      out.put(quoted(knob), parameter.value);
  }
  return out.take();
}

}  // namespace tessera::app
