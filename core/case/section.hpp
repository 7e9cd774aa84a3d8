#ifndef TESSERA_CORE_CASE_SECTION_HPP
#define TESSERA_CORE_CASE_SECTION_HPP

#include "core/case/case.hpp"
#include "core/case/field.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// \file
/// A section of a case: one table of the file, one struct, one header of its module. A struct S
/// describes itself by `static cases::Section<S> section()`.

namespace tessera::cases {

enum class Presence {
  required,   ///< a case without the section is refused
  defaulted,  ///< an absent section is like an empty one
  optional,   ///< an absent section stays absent: Case::find returns null
};

template <class S>
struct Section {
  std::string name;        ///< name of the table; empty: the keys of the document itself
  std::string kind = {};   ///< kind of cases with this section; empty: the kind of its module
  std::string after = {};  ///< section after which it is read and documented; empty: at the front
  Presence presence = Presence::defaulted;
  std::string meaning = {};
  Rows<S> rows = {};
  /// Called after the section was read: fills members that depend on sections read before it. May
  /// be null.
  void (*complete)(S&, const Case&) = nullptr;
};

/// Type-erased section.
class AnySection {
 public:
  virtual ~AnySection() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const std::string& after() const = 0;
  [[nodiscard]] virtual Presence presence() const = 0;
  [[nodiscard]] virtual const std::string& meaning() const = 0;
  [[nodiscard]] virtual std::vector<std::string> keys() const = 0;
  /// \param others further valid keys of `table`, which other sections read, where `table` is the
  /// document.
  /// \throws InputError
  virtual void read(const TableView& table, Case& out,
                    const std::vector<std::string>& others) const = 0;
  virtual void write(const Case& from, Writer& writer) const = 0;
  [[nodiscard]] virtual std::vector<TableInfo> info() const = 0;
};

template <class S>
class TypedSection final : public AnySection {
 public:
  explicit TypedSection(Section<S> section) : section_(std::move(section)) {}

  [[nodiscard]] const std::string& name() const override { return section_.name; }
  [[nodiscard]] const std::string& after() const override { return section_.after; }
  [[nodiscard]] Presence presence() const override { return section_.presence; }
  [[nodiscard]] const std::string& meaning() const override { return section_.meaning; }
  [[nodiscard]] std::vector<std::string> keys() const override { return section_.rows.names(); }

  void read(const TableView& table, Case& out,
            const std::vector<std::string>& others) const override {
    S read{};
    if constexpr (requires { read.origin = table.origin(); }) read.origin = table.origin();
    section_.rows.read(table, read, others);
    if (section_.complete != nullptr) section_.complete(read, out);
    out.set(std::move(read));
  }

  void write(const Case& from, Writer& writer) const override {
    const S* const s = from.find<S>();
    if (s == nullptr) return;
    if (!section_.name.empty()) writer.open_table(section_.name);
    section_.rows.write(*s, writer);
  }

  [[nodiscard]] std::vector<TableInfo> info() const override {
    return section_.rows.info(section_.name);
  }

 private:
  Section<S> section_;
};

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_SECTION_HPP
