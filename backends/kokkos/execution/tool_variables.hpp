#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_TOOL_VARIABLES_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_TOOL_VARIABLES_HPP

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_TUNING)
#include "core/operations/implementation.hpp"
#include "core/parameters/knobs.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// \file
/// Problems and knobs as variables of Kokkos Tools, each declared when it is first met.

namespace tessera::kokkos {

using ToolValue = Kokkos::Tools::Experimental::VariableValue;

/// What a tuner is told of a plan: "tessera.<name>" for each.
class ContextVariables {
 public:
  using Value = std::variant<std::int64_t, double, std::string>;

  /// Kokkos shows a tuner every variable that any open context has set, with the value that was
  /// set last: what a problem does not have must not keep the value of another one. Unknown
  /// numbers are 0, unknown texts empty.
  void clear();
  /// \param value texts are cut to 63 characters.
  void set(const std::string& name, const Value& value);
  [[nodiscard]] std::vector<ToolValue> values() const;

 private:
  std::map<std::pair<std::string, std::size_t>, ToolValue> values_;  ///< by name and kind of Value
};

/// What a tuner may set: "<operation>/<implementation>/<knob>" for each.
class KnobVariables {
 public:
  /// A question to a tuner, then its answer.
  struct Request {
    std::vector<ToolValue> values;
    std::vector<const KnobInfo*> knobs;  ///< of each value
    std::vector<KnobValue> before;       ///< each value as it was asked

    /// The values that differ from what they were.
    [[nodiscard]] KnobValues answers() const;
  };

  /// \param now a value for each knob.
  [[nodiscard]] Request request(const ImplementationInfo& implementation,
                                const std::vector<KnobInfo>& knobs, const KnobValues& now);

 private:
  /// Kokkos and tuners keep pointers to the candidates.
  struct Declared {
    std::size_t id = 0;
    std::vector<std::int64_t> integers;
    std::vector<double> decimals;
    std::unique_ptr<Kokkos_Tools_Tuning_String[]> texts;
  };

  static void declare(const std::string& name, const KnobInfo& knob, const KnobValue& now,
                      Declared& declared);

  std::map<std::string, Declared> declared_;
};

}  // namespace tessera::kokkos
#endif

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_TOOL_VARIABLES_HPP
