#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tessera/core/operations/registry.hpp>
#include <vector>

/// \file
/// Which implementation runs an operation: the user's choice at run time, else the choice at
/// configure time, else the default order.

namespace tessera {

/// Choices by operation; values are implementation names or "auto".
class Selection {
 public:
  Selection() = default;

  /// `op=impl[;op=impl...]`, short operation names allowed; "" is no choice.
  /// \throws SelectionError, InputError naming the bad part.
  [[nodiscard]] static Selection from_text(const Registry& registry, const std::string& text);

  /// The choice made when this library was configured (TESSERA_SELECT).
  [[nodiscard]] static Selection configured(const Registry& registry);

  /// Adds or replaces a choice.
  /// \throws SelectionError for unknown names.
  void set(const Registry& registry, const std::string& operation,
           const std::string& implementation);
  void set_parameter(const Registry& registry, const std::string& operation,
                     const std::string& name, KnobValue value);

  /// Choices of `other` win.
  void merge(const Selection& other);

  /// "auto" when nothing was chosen.
  [[nodiscard]] std::string choice(const std::string& operation) const;
  [[nodiscard]] Parameters parameters(const std::string& operation) const;

 private:
  std::map<std::string, std::string> choices_;
  std::map<std::string, Parameters> parameters_;
};

/// One row of the selection report.
struct SelectionRow {
  std::string operation;
  std::string implementation;
  bool chosen = false;
  std::string reason;  ///< why chosen, or why not
};

/// Ranks the implementations that `refusal_of` does not refuse; the first row that is chosen runs.
/// \throws SelectionError for an unknown choice.
[[nodiscard]] std::vector<SelectionRow> rank(
    const Registry& registry, const Selection& selection, const std::string& operation,
    Precision precision, const Context& context,
    const std::function<Refusal(const ImplementationBase&)>& refusal_of);

/// As `rank`, knowing the device only: what `tessera list` prints.
[[nodiscard]] std::vector<SelectionRow> rank(const Registry& registry, const Selection& selection,
                                             const std::string& operation, Precision precision,
                                             const Context& context);

/// The implementation that runs `problem`.
/// \throws RefusalError with every reason when none can, SelectionError for an unknown choice.
template <class Operation, class P>
[[nodiscard]] const Implementation<Operation, P>& select(const Registry& registry,
                                                         const Selection& selection,
                                                         const typename Operation::Problem& problem,
                                                         const Context& context) {
  const std::string operation(Operation::name);
  const auto typed = [](const ImplementationBase& i) -> const Implementation<Operation, P>& {
    return dynamic_cast<const Implementation<Operation, P>&>(i);
  };
  const std::vector<SelectionRow> rows =
      rank(registry, selection, operation, P::value, context,
           [&](const ImplementationBase& i) { return typed(i).can_run(problem, context); });
  std::string reasons;
  for (const SelectionRow& row : rows) {
    if (row.chosen) return typed(registry.find(operation, P::value, row.implementation));
    if (selection.choice(operation) == "auto" || selection.choice(operation) == row.implementation)
      reasons += (reasons.empty() ? "" : "; ") + row.implementation + ": " + row.reason;
  }
  throw RefusalError(operation + " in " + std::string(name(P::value)), reasons);
}

/// A plan of the selected implementation with the selected parameters.
template <class Operation, class P>
[[nodiscard]] std::unique_ptr<Plan<Operation, P>> make_plan(
    const Registry& registry, const Selection& selection,
    const typename Operation::Problem& problem, const Context& context) {
  return select<Operation, P>(registry, selection, problem, context)
      .make_plan(problem, context, selection.parameters(std::string(Operation::name)));
}

}  // namespace tessera
