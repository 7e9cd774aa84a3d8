#include "core/case/general.hpp"

#include "core/operations/backend_hint.hpp"

#include <utility>

namespace tessera::cases {
namespace {

/// Reads the tuning parameters in the table of an operation, which may have any plain values. TOML
/// parses the dotted name of an implementation as nested tables, so the names of nested tables are
/// joined again: "cuda.list.block_size".
void read_parameters_of(const Value::Table& table, const std::string& field,
                        const std::string& prefix, std::map<std::string, Parameter>& parameters) {
  for (const auto& [key, value] : table) {
    const std::string name = prefix + key;
    Parameter parameter{{}, value.origin};
    if (const auto* inner = value.as<Value::Table>()) {
      read_parameters_of(*inner, field, name + ".", parameters);
      continue;
    }
    if (const auto* integer = value.as<std::int64_t>())
      parameter.value = *integer;
    else if (const auto* real = value.as<double>())
      parameter.value = *real;
    else if (const auto* flag = value.as<bool>())
      parameter.value = *flag;
    else if (const auto* text = value.as<std::string>())
      parameter.value = *text;
    else
      throw error_at(value, field + "." + name, "expected a number, true or false, or a text");
    parameters[name] = parameter;
  }
}

/// The name of a backend of this build, or "auto".
struct BackendKind : ChoiceKind<std::string> {
  [[nodiscard]] std::string hint(const Value& value) const {
    const auto* const given = value.as<std::string>();
    const std::string about = given == nullptr ? "" : backend_hint(*given, registry().backends());
    return about.empty() ? ChoiceKind::hint(value) : ": " + about;
  }
};

struct Toml {
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return text_of(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return in_quotes(value); }
};

void read_selection(const TableView& root, Case& c) {
  const TableView table = root.table("selection");
  for (const auto& [operation, value] : table.entries()) {
    const auto* const name = value.as<std::string>();
    if (name == nullptr || name->empty())
      throw error_at(value, table.dotted(operation), "expected the name of an implementation");
    c.selection[operation] = {*name, value.origin};
  }
}

void write_selection(const Case& c, Writer& writer) {
  if (!c.selection.empty()) writer.open_table("selection");
  for (const auto& [operation, chosen] : c.selection)
    writer.put(in_quotes(operation), in_quotes(chosen.implementation));
}

void read_parameters(const TableView& root, Case& c) {
  const TableView table = root.table("parameters");
  for (const auto& [operation, value] : table.entries()) {
    const std::string field = table.dotted(operation);
    const auto* const parameters = value.as<Value::Table>();
    if (parameters == nullptr)
      throw error_at(value, field, "expected a table of parameters and their values");
    read_parameters_of(*parameters, field, "", c.parameters[operation]);
  }
}

void write_parameters(const Case& c, Writer& writer) {
  for (const auto& [operation, parameters] : c.parameters) {
    writer.open_table("parameters." + in_quotes(operation));
    for (const auto& [name, parameter] : parameters)
      writer.put(in_quotes(name), std::visit(Toml{}, parameter.value));
  }
}

/// A table with user-defined keys.
struct UserTable final : FieldActions<Case> {
  using Read = void (*)(const TableView&, Case&);
  using Write = void (*)(const Case&, Writer&);

  UserTable(std::string the_name, std::string the_meaning, Read reads, Write writes)
      : name(std::move(the_name)), meaning(std::move(the_meaning)), reader(reads), writer(writes) {}

  void read(const TableView& table, Case& c) const override {
    if (table.has(name)) reader(table, c);
  }
  void write(const Case& c, Writer& out) const override { writer(c, out); }
  [[nodiscard]] FieldInfo info(const std::string&) const override {
    return {name, "table", "", "none", meaning};
  }

  std::string name;
  std::string meaning;
  Read reader;
  Write writer;
};

Field<Case> user_table(const std::string& name, const std::string& meaning, UserTable::Read read,
                       UserTable::Write write) {
  return {name, std::make_shared<const UserTable>(name, meaning, read, write), true};
}

/// The meanings of all precisions as one text.
std::string meaning_of(const std::vector<Precision>& precisions) {
  std::string text;
  for (const Precision precision : precisions) {
    text += (text.empty() ? "" : ". ") + std::string(name(precision)) + ": ";
    text += precision == Precision::mixed
                ? "positions, velocities, integration and totals in double, single terms in float"
            : precision == Precision::single ? "arrays and arithmetic in float, totals in double"
                                             : "everything in double";
  }
  return text;
}

}  // namespace

Rows<Case> general_rows(const std::vector<std::string>& kinds,
                        const std::vector<Precision>& precisions,
                        const std::vector<std::string>& backends) {
  std::vector<std::string> devices = {"auto"};
  devices.insert(devices.end(), backends.begin(), backends.end());
  return {{choice(&Case::kind, kinds,
                  {.name = "kind",
                   .fallback = "by the tables",
                   .meaning = "kind of simulation, which decides the tables of a case; a case "
                              "without it is of the kind that has most of its tables"}),
           field(&Case::title, {.name = "title",
                                .fallback = "none",
                                .meaning = "shown in the terminal and in `summary.json`"}),
           choice(&Case::precision, precisions,
                  {.name = "precision", .meaning = meaning_of(precisions)}),
           // A fixed text, because the documentation page is the same for every build.
           field_of(&Case::backend, BackendKind{{devices}},
                    {.name = "backend",
                     .type = "`\"auto\"` or a backend of this build",
                     .meaning = "backend that runs the case; `auto` selects the best one that was "
                                "built and has a device"}),
           user_table("selection", "[implementations by name](#selection)", read_selection,
                      write_selection),
           user_table("parameters", "[tuning parameters of implementations](#parameters)",
                      read_parameters, write_parameters)}};
}

}  // namespace tessera::cases
