#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tessera/core/case/reference.hpp>
#include <tessera/core/case/table_view.hpp>
#include <tessera/core/case/value_kinds.hpp>
#include <tessera/core/case/writer.hpp>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// A key of a case: one line beside the member that it fills. Reading, the effective case and the
/// documentation come from it.
///
///     struct NeighborSection {
///       double skin = 0;
///       static cases::Rows<NeighborSection> rows() {
///         using S = NeighborSection;
///         return {{field(&S::skin, {.name = "skin", .unit = "length", .range = not_negative,
///                                   .meaning = "..."})}};
///       }
///     };
///
/// The default of a key is that of its member. A member that is `optional` may stay without a
/// value.

namespace tessera::cases {

/// A condition on what else the table says, with the words for it.
template <class S>
struct Rule {
  bool (*holds)(const S&) = nullptr;
  std::string text = {};
};

template <class S>
struct Options {
  std::string name;
  std::string type = {};  ///< shown as type where the kind says it badly
  std::string unit = {};
  Range range = {};
  std::string fallback = {};  ///< shown as default where the member's own value is not
  std::string meaning = {};
  bool required = false;
  std::string missing = {};  ///< what was expected where a required one is absent
  /// Required where it holds; the text is shown as default ("required with `lattice`").
  Rule<S> needed = {};
  /// Refused where one does not hold; its text is the message ("expected only with ...").
  std::vector<Rule<S>> only = {};
};

/// A field of the table that S holds.
template <class S>
struct Field {
  std::string name;
  std::function<void(const TableView&, S&)> read;
  /// Its rules, once the whole table was read.
  std::function<void(const TableView&, const S&)> check;
  std::function<void(const S&, Writer&)> write;
  /// \param path dotted name of the table.
  std::function<FieldInfo(const std::string& path)> info;
  bool holds_tables = false;  ///< written behind the plain keys
};

/// A check of a table that concerns more than one field; throws InputError. Usually a named
/// function. It comes before the rules of the fields: what is required may still be absent.
template <class S>
using Check = std::function<void(const S&, const TableView&)>;

template <class S>
struct Rows;

/// Rows of a table E that depend on what the table S, itself or around it, says at run time.
template <class S, class E>
struct Variants {
  std::function<Rows<E>(const S&)> of;
  /// All of them for the documentation, each with its condition, as in `style = "..."`.
  std::vector<std::pair<std::string, Rows<E>>> all;
};

/// The fields of a table and what must hold between them. Fields are read in this order.
template <class S>
struct Rows {
  std::vector<Field<S>> fields;
  std::vector<Check<S>> checks = {};
  /// Fields that there are only when the others say so, as those of a style.
  std::shared_ptr<const Variants<S, S>> more = {};

  /// \param keys that are other tables' own (for the document, where tables of others stand).
  /// \throws InputError with file, line, dotted key, value and what was expected.
  void read(const TableView& table, S& out, const std::vector<std::string>& keys = {}) const {
    for (const Field<S>& field : fields)
      field.read(table, out);
    const Rows extra = more_of(out);
    std::vector<std::string> known = names();
    for (const std::vector<std::string>& list : {extra.names(), keys})
      known.insert(known.end(), list.begin(), list.end());
    table.refuse_unknown(known);
    for (const Field<S>& field : extra.fields)
      field.read(table, out);
    for (const Rows* rows : {this, &extra})
      for (const Check<S>& check : rows->checks)
        check(out, table);
    for (const Rows* rows : {this, &extra})
      for (const Field<S>& field : rows->fields)
        field.check(table, out);
  }

  void write(const S& from, Writer& writer) const {
    const Rows extra = more_of(from);
    for (const bool tables : {false, true})
      for (const Rows* rows : {this, &extra})
        for (const Field<S>& field : rows->fields)
          if (field.holds_tables == tables) field.write(from, writer);
  }

  /// The table, and behind it one for each variant.
  [[nodiscard]] std::vector<TableInfo> info(const std::string& path, std::string when = {}) const {
    std::vector<TableInfo> tables = {{path, std::move(when), {}}};
    for (const Field<S>& field : fields)
      tables.front().fields.push_back(field.info(path));
    if (more)
      for (const auto& [condition, rows] : more->all)
        if (!rows.fields.empty()) tables.push_back(rows.info(path, condition).front());
    return tables;
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const Field<S>& field : fields)
      list.push_back(field.name);
    return list;
  }

 private:
  [[nodiscard]] Rows more_of(const S& s) const { return more ? more->of(s) : Rows{}; }
};

namespace detail {

template <class T>
struct Plain : std::type_identity<T> {};
template <class T>
struct Plain<std::optional<T>> : std::type_identity<T> {};

template <class S>
bool wanted(const Options<S>& options, const S& s) {
  for (const Rule<S>& rule : options.only)
    if (!rule.holds(s)) return false;
  return true;
}

template <class S>
void check_rules(const Options<S>& options, const std::string& expected, const TableView& table,
                 const S& s) {
  const bool there = table.has(options.name);
  if (there) {
    for (const Rule<S>& rule : options.only)
      if (!rule.holds(s)) throw table.error(options.name, rule.text);
  } else if (options.required || (options.needed.holds != nullptr && options.needed.holds(s))) {
    throw table.wrong(options.name, options.missing.empty() ? expected : options.missing);
  }
}

template <class S>
std::string shown_default(const Options<S>& options, const std::string& value) {
  if (options.required) return "required";
  if (!options.fallback.empty()) return options.fallback;
  if (options.needed.holds != nullptr) return options.needed.text;
  return value.empty() ? "" : '`' + value + '`';
}

/// Access to a member, which may be an optional.
template <class S, class T>
struct Member {
  using V = typename Plain<T>::type;
  T S::*member;

  [[nodiscard]] std::optional<V> get(const S& s) const { return s.*member; }
  void set(S& s, V value) const { s.*member = std::move(value); }
};

/// Access to an entry of a map of numbers.
template <class S, class V>
struct Keyed {
  std::map<std::string, double> S::*member;
  std::string name;

  [[nodiscard]] std::optional<V> get(const S& s) const {
    const auto found = (s.*member).find(name);
    if (found == (s.*member).end()) return {};
    return static_cast<V>(found->second);
  }
  void set(S& s, V value) const { (s.*member)[name] = static_cast<double>(value); }
};

}  // namespace detail

/// A field whose value is found by an accessor: `std::optional<V> get(const S&)`, `set(S&, V)`.
template <class S, class Access, class Kind>
Field<S> field_at(Access access, Kind kind, Options<S> options) {
  const std::string expected = kind.expected(options.range, false);
  const auto text = [=](const S& s) -> std::string {
    const auto value = access.get(s);
    return value ? kind.write(*value) : "";
  };
  Field<S> field;
  field.name = options.name;
  field.read = [=](const TableView& table, S& out) {
    const Value* const value = table.find(options.name);
    if (value == nullptr) return;
    typename Kind::Type read{};
    if (const Value* const wrong = kind.read(*value, options.range, read))
      throw error_at(*wrong, table.dotted(options.name),
                     "expected " + expected + kind.hint(*wrong));
    access.set(out, std::move(read));
  };
  field.check = [=](const TableView& table, const S& s) {
    detail::check_rules(options, expected, table, s);
  };
  field.write = [=](const S& s, Writer& writer) {
    const std::string value = detail::wanted(options, s) ? text(s) : "";
    if (!value.empty()) writer.put(options.name, value);
  };
  field.info = [=](const std::string&) -> FieldInfo {
    return {options.name, options.type.empty() ? kind.column(options.range, false) : options.type,
            options.unit, detail::shown_default(options, text(S{})), options.meaning};
  };
  return field;
}

/// A field of a kind of values that is given.
template <class S, class T, class Kind>
Field<S> field_of(T S::*member, Kind kind, Options<std::type_identity_t<S>> options) {
  return field_at(detail::Member<S, T>{member}, std::move(kind), std::move(options));
}

/// A field that is known at run time only: kept under its name in a map of numbers, where a flag is
/// 0 or 1. An absent one stays out of the map unless `otherwise` is given.
template <class S, class Kind>
Field<S> keyed_field(std::map<std::string, double> S::*member, Kind kind,
                     Options<std::type_identity_t<S>> options,
                     std::optional<double> otherwise = {}) {
  using V = typename Kind::Type;
  if (otherwise && options.fallback.empty())
    options.fallback = '`' + kind.write(static_cast<V>(*otherwise)) + '`';
  const std::string name = options.name;
  Field<S> field = field_at(detail::Keyed<S, V>{member, name}, std::move(kind), std::move(options));
  if (otherwise) {
    field.read = [=, read = field.read](const TableView& table, S& out) {
      (out.*member)[name] = *otherwise;
      read(table, out);
    };
  }
  return field;
}

/// A field whose kind follows from the type of the member: double, integers, bool, std::string,
/// arrays and vectors of them, and any of these as std::optional.
template <class S, class T>
Field<S> field(T S::*member, Options<std::type_identity_t<S>> options) {
  return field_of(member, typename KindOf<T>::type{}, std::move(options));
}

/// A field that is one of `choices`: texts, or enumerators with a function `name`.
template <class S, class T>
Field<S> choice(T S::*member, std::vector<typename detail::Plain<T>::type> choices,
                Options<std::type_identity_t<S>> options) {
  return field_of(member, ChoiceKind<typename detail::Plain<T>::type>{std::move(choices)},
                  std::move(options));
}

/// An array of tables, `[[path.name]]`, with the fields that `variants` gives at run time.
template <class S, class E>
Field<S> tables(std::vector<E> S::*member, Variants<std::type_identity_t<S>, E> variants,
                Options<std::type_identity_t<S>> options) {
  Field<S> field;
  field.name = options.name;
  field.holds_tables = true;
  field.read = [=](const TableView& table, S& out) {
    const std::vector<TableView> elements = table.tables(options.name);
    if (elements.empty()) return;
    const Rows<E> rows = variants.of(out);
    for (const TableView& element : elements) {
      E entry{};
      if constexpr (requires { entry.origin = element.origin(); }) entry.origin = element.origin();
      rows.read(element, entry);
      (out.*member).push_back(std::move(entry));
    }
  };
  field.check = [=](const TableView& table, const S& s) {
    detail::check_rules(options, "tables, each under [[" + table.dotted(options.name) + "]]", table,
                        s);
  };
  field.write = [=](const S& s, Writer& writer) {
    if ((s.*member).empty() || !detail::wanted(options, s)) return;
    const std::string outer = writer.path();
    const std::string path = writer.dotted(options.name);
    const Rows<E> rows = variants.of(s);
    for (const E& entry : s.*member) {
      writer.open_element(path);
      rows.write(entry, writer);
    }
    writer.return_to(outer);
  };
  field.info = [=](const std::string& path) -> FieldInfo {
    const std::string inner = (path.empty() ? "" : path + '.') + options.name;
    FieldInfo info{options.name, options.type.empty() ? "tables" : options.type, options.unit,
                   detail::shown_default(options, ""), options.meaning};
    for (const auto& [when, rows] : variants.all)
      for (TableInfo& table : rows.info(inner, when))
        info.tables.push_back(std::move(table));
    return info;
  };
  return field;
}

/// An array of tables whose fields are always the same: `E::rows()`.
template <class S, class E>
Field<S> tables(std::vector<E> S::*member, Options<std::type_identity_t<S>> options) {
  return tables(member, Variants<S, E>{[](const S&) { return E::rows(); }, {{"", E::rows()}}},
                std::move(options));
}

}  // namespace tessera::cases
