#ifndef TESSERA_CORE_CASE_FIELD_HPP
#define TESSERA_CORE_CASE_FIELD_HPP

#include "core/case/reference.hpp"
#include "core/case/table_view.hpp"
#include "core/case/value_kinds.hpp"
#include "core/case/writer.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// A key of a case, declared in one line next to the member that it fills. Reading, the effective
/// case and the documentation are derived from it.
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
/// The default of a key is the default of its member. An `optional` member may have no value.

namespace tessera::cases {

/// A condition on other keys of the table, and the text that describes it.
template <class S>
struct Rule {
  bool (*holds)(const S&) = nullptr;
  std::string text = {};
};

template <class S>
struct Options {
  std::string name;
  std::string type = {};  ///< type in the documentation; empty: as its kind of values describes it
  std::string unit = {};
  Range range = {};
  std::string fallback = {};  ///< default in the documentation; empty: that of the member
  std::string meaning = {};
  bool required = false;
  std::string missing = {};  ///< message for a missing required key; empty: the expected values
  /// The key is required where this holds; the documentation shows the text as default ("required
  /// with `lattice`").
  Rule<S> needed = {};
  /// The key is refused where one of these does not hold; the message is the text of the rule
  /// ("expected only with ...").
  std::vector<Rule<S>> only = {};
};

/// Reading, checking, writing and documentation of one field of a table that is stored in S.
template <class S>
class FieldActions {
 public:
  virtual ~FieldActions() = default;

  virtual void read(const TableView& table, S& out) const = 0;
  /// Checks the rules of the field after the whole table was read.
  virtual void check(const TableView&, const S&) const {}
  virtual void write(const S& s, Writer& writer) const = 0;
  /// \param path dotted name of the table.
  [[nodiscard]] virtual FieldInfo info(const std::string& path) const = 0;
};

/// A field of a table that is stored in S.
template <class S>
struct Field {
  std::string name;
  std::shared_ptr<const FieldActions<S>> does;
  bool holds_tables = false;  ///< written after the plain keys
};

/// A check of a table that involves several fields; throws InputError. Usually a named function. It
/// runs before the rules of the fields, so required keys may still be missing.
template <class S>
using Check = std::function<void(const S&, const TableView&)>;

template <class S>
struct Rows;

/// Rows of a table E that depend on the values of table S, which is the same table or encloses it.
template <class S, class E>
struct Variants {
  std::function<Rows<E>(const S&)> of;
  /// All variants for the documentation, each with its condition, for example `style = "..."`.
  std::vector<std::pair<std::string, Rows<E>>> all;
};

/// The fields of a table, in the order in which they are read, and the checks that involve several
/// fields.
template <class S>
struct Rows {
  std::vector<Field<S>> fields;
  std::vector<Check<S>> checks = {};
  /// Additional fields that depend on the values of the others, for example the fields of a style.
  std::shared_ptr<const Variants<S, S>> more = {};

  /// \param keys further valid keys, which are read elsewhere: the document also contains the keys
  /// of its sections.
  /// \throws InputError with file, line, dotted key, value and expectation.
  void read(const TableView& table, S& out, const std::vector<std::string>& keys = {}) const {
    for (const Field<S>& field : fields)
      field.does->read(table, out);
    const Rows extra = more_of(out);
    std::vector<std::string> known = names();
    for (const std::vector<std::string>& list : {extra.names(), keys})
      known.insert(known.end(), list.begin(), list.end());
    table.refuse_unknown(known);
    for (const Field<S>& field : extra.fields)
      field.does->read(table, out);
    for (const Rows* rows : {this, &extra})
      for (const Check<S>& check : rows->checks)
        check(out, table);
    for (const Rows* rows : {this, &extra})
      for (const Field<S>& field : rows->fields)
        field.does->check(table, out);
  }

  void write(const S& from, Writer& writer) const {
    const Rows extra = more_of(from);
    for (const bool tables : {false, true})
      for (const Rows* rows : {this, &extra})
        for (const Field<S>& field : rows->fields)
          if (field.holds_tables == tables) field.does->write(from, writer);
  }

  /// Documentation of the table, followed by one table for each variant.
  [[nodiscard]] std::vector<TableInfo> info(const std::string& path, std::string when = {}) const {
    std::vector<TableInfo> tables = {{path, std::move(when), {}}};
    for (const Field<S>& field : fields)
      tables.front().fields.push_back(field.does->info(path));
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

/// Accessor of a member, which may be an optional.
template <class S, class T>
struct Member {
  using V = typename Plain<T>::type;
  T S::*member;

  [[nodiscard]] std::optional<V> get(const S& s) const { return s.*member; }
  void set(S& s, V value) const { s.*member = std::move(value); }
  void leave(S&) const {}
};

/// Accessor of an entry in a map of numbers.
template <class S, class V>
struct Keyed {
  std::map<std::string, double> S::*member;
  std::string name;
  std::optional<double> otherwise;  ///< stored for an absent key; nullopt: no entry is stored

  [[nodiscard]] std::optional<V> get(const S& s) const {
    const auto found = (s.*member).find(name);
    if (found == (s.*member).end()) return {};
    return static_cast<V>(found->second);
  }
  void set(S& s, V value) const { (s.*member)[name] = static_cast<double>(value); }
  void leave(S& s) const {
    if (otherwise) (s.*member)[name] = *otherwise;
  }
};

/// A key whose value is accessed through `std::optional<V> get(const S&)`, `set(S&, V)` and, for an
/// absent key, `leave(S&)`.
template <class S, class Access, class Kind>
class ValueField final : public FieldActions<S> {
 public:
  ValueField(Access access, Kind kind, Options<S>&& options)
      : access_(std::move(access)), kind_(std::move(kind)), options_(std::move(options)) {}

  void read(const TableView& table, S& out) const override {
    const Value* const value = table.find(options_.name);
    if (value == nullptr) return access_.leave(out);
    typename Kind::Type read{};
    if (const Value* const wrong = kind_.read(*value, options_.range, read))
      throw error_at(*wrong, table.dotted(options_.name),
                     "expected " + expected() + kind_.hint(*wrong));
    access_.set(out, std::move(read));
  }

  void check(const TableView& table, const S& s) const override {
    check_rules(options_, expected(), table, s);
  }

  void write(const S& s, Writer& writer) const override {
    const std::string value = wanted(options_, s) ? text(s) : "";
    if (!value.empty()) writer.put(options_.name, value);
  }

  [[nodiscard]] FieldInfo info(const std::string&) const override {
    return {options_.name,
            options_.type.empty() ? kind_.column(options_.range, false) : options_.type,
            options_.unit, shown_default(options_, text(S{})), options_.meaning};
  }

 private:
  [[nodiscard]] std::string expected() const { return kind_.expected(options_.range, false); }
  [[nodiscard]] std::string text(const S& s) const {
    const auto value = access_.get(s);
    return value ? kind_.write(*value) : "";
  }

  Access access_;
  Kind kind_;
  Options<S> options_;
};

/// A key that holds an array of tables E.
template <class S, class E>
class TablesField final : public FieldActions<S> {
 public:
  TablesField(std::vector<E> S::*member, Variants<S, E>&& variants, Options<S>&& options)
      : member_(member), variants_(std::move(variants)), options_(std::move(options)) {}

  void read(const TableView& table, S& out) const override {
    const std::vector<TableView> elements = table.tables(options_.name);
    if (elements.empty()) return;
    const Rows<E> rows = variants_.of(out);
    for (const TableView& element : elements) {
      E entry{};
      if constexpr (requires { entry.origin = element.origin(); }) entry.origin = element.origin();
      rows.read(element, entry);
      (out.*member_).push_back(std::move(entry));
    }
  }

  void check(const TableView& table, const S& s) const override {
    check_rules(options_, "tables, each under [[" + table.dotted(options_.name) + "]]", table, s);
  }

  void write(const S& s, Writer& writer) const override {
    if ((s.*member_).empty() || !wanted(options_, s)) return;
    const std::string outer = writer.path();
    const std::string path = writer.dotted(options_.name);
    const Rows<E> rows = variants_.of(s);
    for (const E& entry : s.*member_) {
      writer.open_element(path);
      rows.write(entry, writer);
    }
    writer.return_to(outer);
  }

  [[nodiscard]] FieldInfo info(const std::string& path) const override {
    const std::string inner = (path.empty() ? "" : path + '.') + options_.name;
    FieldInfo info{options_.name, options_.type.empty() ? "tables" : options_.type, options_.unit,
                   shown_default(options_, ""), options_.meaning};
    for (const auto& [when, rows] : variants_.all)
      for (TableInfo& table : rows.info(inner, when))
        info.tables.push_back(std::move(table));
    return info;
  }

 private:
  std::vector<E> S::*member_;
  Variants<S, E> variants_;
  Options<S> options_;
};

template <class S, class Access, class Kind>
Field<S> value_field(Access access, Kind kind, Options<S>&& options) {
  std::string name = options.name;
  return {std::move(name), std::make_shared<const ValueField<S, Access, Kind>>(
                               std::move(access), std::move(kind), std::move(options))};
}

}  // namespace detail

/// A field with an explicit kind of values.
template <class S, class T, class Kind>
Field<S> field_of(T S::*member, Kind kind, Options<std::type_identity_t<S>> options) {
  return detail::value_field<S>(detail::Member<S, T>{member}, std::move(kind), std::move(options));
}

/// A field that is known only at run time. Its value is stored under its name in a map of numbers,
/// a flag as 0 or 1. An absent key has no entry unless `otherwise` is given.
template <class S, class Kind>
Field<S> keyed_field(std::map<std::string, double> S::*member, Kind kind,
                     Options<std::type_identity_t<S>> options,
                     std::optional<double> otherwise = {}) {
  using V = typename Kind::Type;
  if (otherwise && options.fallback.empty())
    options.fallback = '`' + kind.write(static_cast<V>(*otherwise)) + '`';
  detail::Keyed<S, V> entry{member, options.name, otherwise};
  return detail::value_field<S>(std::move(entry), std::move(kind), std::move(options));
}

/// A field whose kind follows from the type of the member: double, integers, bool, std::string,
/// GivenPath, arrays and vectors of them, and std::optional of any of these.
template <class S, class T>
Field<S> field(T S::*member, Options<std::type_identity_t<S>> options) {
  return field_of(member, typename KindOf<T>::type{}, std::move(options));
}

/// A field whose value is one of `choices`: texts, or enumerators that a function `name` converts
/// to text.
template <class S, class T>
Field<S> choice(T S::*member, std::vector<typename detail::Plain<T>::type> choices,
                Options<std::type_identity_t<S>> options) {
  return field_of(member, ChoiceKind<typename detail::Plain<T>::type>{std::move(choices)},
                  std::move(options));
}

/// An array of tables, `[[path.name]]`, whose fields `variants` determines at run time.
template <class S, class E>
Field<S> tables(std::vector<E> S::*member, Variants<std::type_identity_t<S>, E> variants,
                Options<std::type_identity_t<S>> options) {
  std::string name = options.name;
  return {std::move(name),
          std::make_shared<const detail::TablesField<S, E>>(member, std::move(variants),
                                                            std::move(options)),
          true};
}

/// An array of tables with fixed fields: `E::rows()`.
template <class S, class E>
Field<S> tables(std::vector<E> S::*member, Options<std::type_identity_t<S>> options) {
  return tables(member, Variants<S, E>{[](const S&) { return E::rows(); }, {{"", E::rows()}}},
                std::move(options));
}

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_FIELD_HPP
