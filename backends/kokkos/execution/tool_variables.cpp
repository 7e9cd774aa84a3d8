#include "backends/kokkos/execution/tool_variables.hpp"

#if defined(KOKKOS_ENABLE_TUNING)
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace tessera::kokkos {
namespace {

namespace tools = Kokkos::Tools::Experimental;

constexpr std::size_t text_length = KOKKOS_TOOLS_TUNING_STRING_LENGTH;

void copy_text(const std::string& text, Kokkos_Tools_Tuning_String& out) {
  std::fill(std::begin(out), std::end(out), '\0');
  std::copy_n(text.data(), std::min(text.size(), text_length - 1), std::begin(out));
}

/// A value as Kokkos Tools represents it; flags are 0 and 1.
template <class T>
ToolValue tool_value(std::size_t id, const T& value) {
  ToolValue out{};
  out.type_id = id;
  if constexpr (std::is_same_v<T, std::string>)
    copy_text(value, out.value.string_value);
  else if constexpr (std::is_same_v<T, double>)
    out.value.double_value = value;
  else
    out.value.int_value = value;
  return out;
}

ParameterValue parameter_value(const ToolValue& value, ParameterKind kind) {
  switch (kind) {
    case ParameterKind::decimal:
      return value.value.double_value;
    case ParameterKind::flag:
      return value.value.int_value != 0;
    case ParameterKind::name: {
      const char* const text = value.value.string_value;
      return std::string(text, std::find(text, text + text_length, '\0'));
    }
    case ParameterKind::integer:
      break;
  }
  return value.value.int_value;
}

/// Whether all values of a tuning parameter fit into the texts of Kokkos Tools. A tuner can
/// neither show nor set a longer name.
bool fits(const ParameterInfo& parameter, const ParameterValue& now) {
  const auto short_enough = [](const ParameterValue& value) {
    const auto* const text = std::get_if<std::string>(&value);
    return text == nullptr || text->size() < text_length;
  };
  return short_enough(now) && short_enough(parameter.default_value) &&
         std::all_of(parameter.values.begin(), parameter.values.end(), short_enough);
}

/// The values to try, the default and the present value included; numbers in ascending order.
std::vector<ParameterValue> candidates_of(const ParameterInfo& parameter,
                                          const ParameterValue& now) {
  std::vector<ParameterValue> values = parameter.values;
  values.push_back(parameter.default_value);
  values.push_back(now);
  if (parameter.kind != ParameterKind::name) std::sort(values.begin(), values.end());
  std::vector<ParameterValue> once;
  for (ParameterValue& value : values)
    if (std::find(once.begin(), once.end(), value) == once.end()) once.push_back(std::move(value));
  return once;
}

}  // namespace

void ContextVariables::clear() {
  for (auto& [name, value] : values_)
    std::memset(&value.value, 0, sizeof value.value);
}

void ContextVariables::set(const std::string& name, const Value& value) {
  const std::pair key(name, value.index());
  auto at = values_.find(key);
  if (at == values_.end()) {
    tools::VariableInfo info{};
    info.valueQuantity = tools::CandidateValueType::kokkos_value_unbounded;
    info.type = std::holds_alternative<std::string>(value) ? tools::ValueType::kokkos_value_string
                : std::holds_alternative<double>(value)    ? tools::ValueType::kokkos_value_double
                                                           : tools::ValueType::kokkos_value_int64;
    info.category = std::holds_alternative<std::string>(value)
                        ? tools::StatisticalCategory::kokkos_value_categorical
                        : tools::StatisticalCategory::kokkos_value_ratio;
    ToolValue declared{};
    declared.type_id = tools::declare_input_type("tessera." + name, info);
    at = values_.emplace(key, declared).first;
  }
  at->second = std::visit([&](const auto& v) { return tool_value(at->second.type_id, v); }, value);
}

std::vector<ToolValue> ContextVariables::values() const {
  std::vector<ToolValue> all;
  for (const auto& [name, value] : values_)
    all.push_back(value);
  return all;
}

void ParameterVariables::declare(const std::string& name, const ParameterInfo& parameter,
                                 const ParameterValue& now, Declared& declared) {
  const std::vector<ParameterValue> candidates = candidates_of(parameter, now);
  tools::VariableInfo info{};
  info.valueQuantity = tools::CandidateValueType::kokkos_value_set;
  info.candidates.set.size = candidates.size();
  switch (parameter.kind) {
    case ParameterKind::decimal:
      for (const ParameterValue& value : candidates)
        declared.decimals.push_back(std::get<double>(value));
      info.type = tools::ValueType::kokkos_value_double;
      info.category = tools::StatisticalCategory::kokkos_value_interval;
      info.candidates.set.values.double_value = declared.decimals.data();
      break;
    case ParameterKind::name:
      declared.texts = std::make_unique<Kokkos_Tools_Tuning_String[]>(candidates.size());
      for (std::size_t i = 0; i < candidates.size(); ++i)
        copy_text(std::get<std::string>(candidates[i]), declared.texts[i]);
      info.type = tools::ValueType::kokkos_value_string;
      info.category = tools::StatisticalCategory::kokkos_value_categorical;
      info.candidates.set.values.string_value = declared.texts.get();
      break;
    case ParameterKind::integer:
    case ParameterKind::flag:
      for (const ParameterValue& value : candidates)
        declared.integers.push_back(parameter.kind == ParameterKind::flag
                                        ? std::int64_t{std::get<bool>(value)}
                                        : std::get<std::int64_t>(value));
      info.type = tools::ValueType::kokkos_value_int64;
      info.category = parameter.kind == ParameterKind::flag
                          ? tools::StatisticalCategory::kokkos_value_categorical
                          : tools::StatisticalCategory::kokkos_value_ordinal;
      info.candidates.set.values.int_value = declared.integers.data();
      break;
  }
  declared.id = tools::declare_output_type(name, info);
}

ParameterVariables::Request ParameterVariables::request(
    const ImplementationInfo& implementation, const std::vector<ParameterInfo>& parameters,
    const ParameterValues& now) {
  Request request;
  for (const ParameterInfo& parameter : parameters) {
    const ParameterValue value = checked_parameter_value(parameter, now.at(parameter.name));
    if (!fits(parameter, value)) continue;
    const std::string name =
        implementation.operation + "/" + implementation.name + "/" + parameter.name;
    const auto [at, fresh] = declared_.try_emplace(name);
    if (fresh) declare(name, parameter, value, at->second);
    request.values.push_back(
        std::visit([&](const auto& v) { return tool_value(at->second.id, v); }, value));
    request.parameters.push_back(&parameter);
    request.before.push_back(value);
  }
  return request;
}

ParameterValues ParameterVariables::Request::answers() const {
  ParameterValues changed;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterValue answer = parameter_value(values[i], parameters[i]->kind);
    if (answer != before[i]) changed[parameters[i]->name] = answer;
  }
  return changed;
}

}  // namespace tessera::kokkos
#endif
