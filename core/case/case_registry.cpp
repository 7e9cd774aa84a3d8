#include "core/case/case_registry.hpp"

#include "core/case/general.hpp"
#include "core/operations/registry.hpp"

#include <algorithm>
#include <utility>

namespace tessera::cases {
namespace {

void append_behind(const std::string& name,
                   const std::vector<std::unique_ptr<AnySection>>& sections,
                   std::vector<const AnySection*>& out) {
  for (const auto& section : sections) {
    if (section->after() != name || section->name() == name) continue;
    out.push_back(section.get());
    append_behind(section->name(), sections, out);
  }
}

/// Documentation row for a section that has its own table.
/// \param prefix start of the anchor of the section's heading: empty for the first kind, whose
/// anchors are the plain names of sections, otherwise the kind and a dash.
FieldInfo row_of(const AnySection& section, const std::string& prefix) {
  const std::string fallback = section.presence() == Presence::required   ? "required"
                               : section.presence() == Presence::optional ? "none"
                                                                          : "";
  return {section.name(),
          "table",
          "",
          fallback,
          "[" + section.meaning() + "](#" + prefix + section.name() + ")",
          section.info()};
}

/// The precisions of the operations of module `kind`; every precision where that module has no
/// operation.
std::vector<Precision> precisions_of(const std::string& kind) {
  std::vector<Precision> found;
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single}) {
    const std::vector<std::string> operations = registry().operations();
    const bool computes =
        std::any_of(operations.begin(), operations.end(), [&](const std::string& operation) {
          return operation.starts_with(kind + "/") &&
                 !registry().implementations(operation, precision).empty();
        });
    if (computes) found.push_back(precision);
  }
  if (!found.empty()) return found;
  return {Precision::double_precision, Precision::mixed, Precision::single};
}

}  // namespace

std::vector<const AnySection*> CaseRegistry::Kind::ordered() const {
  std::vector<const AnySection*> list;
  for (const auto& section : sections)
    if (section->name().empty()) list.push_back(section.get());
  append_behind("", sections, list);
  // Sections whose after() names no section of this kind come last.
  for (const auto& section : sections)
    if (std::find(list.begin(), list.end(), section.get()) == list.end())
      list.push_back(section.get());
  return list;
}

std::vector<std::string> CaseRegistry::Kind::keys() const {
  std::vector<std::string> all;
  for (const AnySection* section : ordered()) {
    if (section->name().empty())
      for (std::string& key : section->keys())
        all.push_back(std::move(key));
    else
      all.push_back(section->name());
  }
  return all;
}

void CaseRegistry::add_section(const std::string& kind, std::unique_ptr<AnySection> section) {
  Kind& found = found_or_added(kind);
  for (const auto& present : found.sections)
    if (!present->name().empty() && present->name() == section->name())
      throw ArgumentError("cases of kind '" + kind + "' have a section '" + section->name() +
                          "' already");
  found.sections.push_back(std::move(section));
}

void CaseRegistry::add_trial_source(const std::string& kind, MakeTrialSource make) {
  Kind& found = found_or_added(kind);
  if (found.trial_source != nullptr)
    throw ArgumentError("cases of kind '" + kind + "' have a source of trials already");
  found.trial_source = make;
}

CaseRegistry::Kind& CaseRegistry::found_or_added(const std::string& name) {
  auto found = std::find_if(kinds_.begin(), kinds_.end(),
                            [&](const Kind& candidate) { return candidate.name == name; });
  if (found == kinds_.end()) found = kinds_.insert(found, Kind{name});
  return *found;
}

const CaseRegistry::Kind& CaseRegistry::get(const std::string& name) const {
  for (const Kind& kind : kinds_)
    if (kind.name == name) return kind;
  throw SelectionError("kind of case", name, kinds());
}

std::unique_ptr<TrialSource> CaseRegistry::trial_source(const Case& c) const {
  const Kind& kind = get(c.kind);
  if (kind.trial_source != nullptr) return kind.trial_source(c);
  std::vector<std::string> able;
  for (const Kind& other : kinds_)
    if (other.trial_source != nullptr) able.push_back(other.name);
  throw InputError({c.path.string(), 0, "kind", kind.name},
                   "cases of this kind provide no state for trials" +
                       (able.empty() ? "" : ", expected one of " + list_of(able)));
}

std::vector<std::string> CaseRegistry::kinds() const {
  std::vector<std::string> names;
  for (const Kind& kind : kinds_)
    names.push_back(kind.name);
  return names;
}

Rows<Case> CaseRegistry::general(const std::string& kind) const {
  std::vector<std::string> backends;
  for (const BackendInfo& backend : registry().backends())
    backends.push_back(backend.name);
  return general_rows(kinds(), precisions_of(kind), backends);
}

std::string CaseRegistry::kind_of(const TableView& document) const {
  std::string best;
  std::ptrdiff_t most = -1;
  for (const Kind& kind : kinds_) {
    const std::vector<std::string> keys = kind.keys();
    const std::ptrdiff_t known = std::count_if(
        keys.begin(), keys.end(), [&](const std::string& key) { return document.has(key); });
    if (known <= most) continue;
    best = kind.name;
    most = known;
  }
  return best;
}

Case CaseRegistry::read(const Value& document, const std::filesystem::path& path) const {
  const TableView root(document, "");
  Case c;
  c.path = path;
  c.kind = kind_of(root);
  general(c.kind).fields.front().does->read(root, c);  // the kind determines the valid keys
  const Rows<Case> general = this->general(c.kind);
  const std::vector<const AnySection*> sections = get(c.kind).ordered();
  std::vector<std::string> known = get(c.kind).keys();
  general.read(root, c, known);
  for (std::string& name : general.names())
    known.push_back(std::move(name));
  const Value absent{};
  for (const AnySection* section : sections) {
    const std::string& name = section->name();
    if (name.empty())
      section->read(root, c, known);
    else if (section->presence() == Presence::required || root.has(name))
      section->read(root.table(name), c, {});
    else if (section->presence() == Presence::defaulted)
      section->read(TableView(absent, name), c, {});
  }
  return c;
}

std::string CaseRegistry::effective_toml(const Case& c) const {
  const Rows<Case> general = this->general(c.kind);
  const std::vector<const AnySection*> sections = get(c.kind).ordered();
  Writer writer;
  const auto write_general = [&](bool tables) {
    for (const Field<Case>& field : general.fields)
      if (field.holds_tables == tables) field.does->write(c, writer);
  };
  // TOML requires the keys of the document before its tables.
  write_general(false);
  for (const AnySection* section : sections)
    section->write(c, writer);
  write_general(true);
  return writer.take();
}

TableInfo CaseRegistry::info(const std::string& kind) const {
  TableInfo document = general(kind).info("").front();
  // Tables with user-defined keys come last, as in an effective case.
  auto at = std::find_if(document.fields.begin(), document.fields.end(),
                         [](const FieldInfo& field) { return field.type == "table"; });
  const std::string prefix = kind == kinds_.front().name ? "" : kind + '-';
  for (const AnySection* section : get(kind).ordered()) {
    if (section->name().empty()) {
      const std::vector<TableInfo> tables = section->info();
      for (const FieldInfo& field : tables.front().fields)
        at = document.fields.insert(at, field) + 1;
    } else {
      at = document.fields.insert(at, row_of(*section, prefix)) + 1;
    }
  }
  return document;
}

CaseRegistry& case_registry() {
  static CaseRegistry registry = [] {
    CaseRegistry filled;
    register_all_cases(filled);
    return filled;
  }();
  return registry;
}

}  // namespace tessera::cases
