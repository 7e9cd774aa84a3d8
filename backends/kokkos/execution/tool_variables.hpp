#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_TOOL_VARIABLES_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_TOOL_VARIABLES_HPP

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_TUNING)
#include "core/operations/implementation.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// \file
/// Problems and tuning parameters as variables of Kokkos Tools, each declared on first use.

namespace tessera::kokkos {

using ToolValue = Kokkos::Tools::Experimental::VariableValue;

/// Input variables of a tuner, which describe a plan; each is named "tessera.<name>".
class ContextVariables {
 public:
  using Value = std::variant<std::int64_t, double, std::string>;

  /// Resets all variables, numbers to 0 and texts to empty. Kokkos passes to a tuner every variable
  /// that any open context has set, with the value that was set last. Without the reset, a variable
  /// that a problem does not have would keep the value of another problem.
  void clear();
  /// Sets a variable, and declares it on first use.
  /// \param value texts are cut to 63 characters.
  void set(const std::string& name, const Value& value);
  [[nodiscard]] std::vector<ToolValue> values() const;

 private:
  /// Declared variables by name and index of the alternative in Value.
  std::map<std::pair<std::string, std::size_t>, ToolValue> values_;
};

/// Output variables of a tuner, which it may set; each is named
/// "<operation>/<implementation>/<parameter>".
class ParameterVariables {
 public:
  /// Values that are passed to a tuner, and that it overwrites with its answer.
  struct Request {
    std::vector<ToolValue> values;
    std::vector<const ParameterInfo*> parameters;  ///< the parameter of each value
    std::vector<ParameterValue> before;            ///< each value before the request

    /// The values that the tuner changed.
    [[nodiscard]] ParameterValues answers() const;
  };

  /// A request for the tuning parameters that a tuner can represent.
  /// \param now the present value of each parameter.
  [[nodiscard]] Request request(const ImplementationInfo& implementation,
                                const std::vector<ParameterInfo>& parameters,
                                const ParameterValues& now);

 private:
  /// A declared variable with its candidates, to which Kokkos and tuners keep pointers.
  struct Declared {
    std::size_t id = 0;
    std::vector<std::int64_t> integers;
    std::vector<double> decimals;
    std::unique_ptr<Kokkos_Tools_Tuning_String[]> texts;
  };

  static void declare(const std::string& name, const ParameterInfo& parameter,
                      const ParameterValue& now, Declared& declared);

  std::map<std::string, Declared> declared_;
};

}  // namespace tessera::kokkos
#endif

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_TOOL_VARIABLES_HPP
