#include <impl/Kokkos_Profiling_C_Interface.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

/// \file
/// A tuner for Kokkos Tools. It writes all events to the file that TESSERA_TEST_TUNER_LOG names, a
/// line of JSON each, and sets one variable: TESSERA_TEST_TUNER_SETS=NAME=VALUE.

namespace {

struct Variable {
  std::string name;
  Kokkos_Tools_VariableInfo_ValueType type;
};

std::map<std::size_t, Variable>& variables() {
  static std::map<std::size_t, Variable> all;
  return all;
}

std::FILE* log_file() {
  static std::FILE* const file = [] {
    const char* const path = std::getenv("TESSERA_TEST_TUNER_LOG");
    return path == nullptr ? stderr : std::fopen(path, "a");
  }();
  return file;
}

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string shown(const Kokkos_Tools_VariableValue_ValueUnion& value,
                  Kokkos_Tools_VariableInfo_ValueType type) {
  switch (type) {
    case kokkos_value_int64:
      return std::to_string(value.int_value);
    case kokkos_value_string:
      return quoted(value.string_value);
    case kokkos_value_double:
      break;
  }
  return number(value.double_value);
}

std::string candidates(const Kokkos_Tools_VariableInfo& info) {
  if (info.valueQuantity != kokkos_value_set) return "null";
  std::string text;
  for (std::size_t i = 0; i < info.candidates.set.size; ++i) {
    text += text.empty() ? "" : ", ";
    if (info.type == kokkos_value_int64)
      text += std::to_string(info.candidates.set.values.int_value[i]);
    else if (info.type == kokkos_value_double)
      text += number(info.candidates.set.values.double_value[i]);
    else
      text += quoted(info.candidates.set.values.string_value[i]);
  }
  return "[" + text + "]";
}

void declare(const char* event, const char* name, std::size_t id,
             const Kokkos_Tools_VariableInfo& info) {
  variables()[id] = {name, info.type};
  std::fprintf(log_file(),
               R"({"event": "%s", "name": "%s", "type": %d, "category": %d, "candidates": %s})"
               "\n",
               event, name, static_cast<int>(info.type), static_cast<int>(info.category),
               candidates(info).c_str());
}

std::string object(std::size_t count, const Kokkos_Tools_VariableValue* values) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const Variable& variable = variables().at(values[i].type_id);
    text += (text.empty() ? "" : ", ") + quoted(variable.name) + ": " +
            shown(values[i].value, variable.type);
  }
  return "{" + text + "}";
}

/// VALUE of TESSERA_TEST_TUNER_SETS=NAME=VALUE if NAME is `name`, else null.
const char* wanted(const std::string& name) {
  const char* const sets = std::getenv("TESSERA_TEST_TUNER_SETS");
  if (sets == nullptr || std::strncmp(sets, (name + "=").c_str(), name.size() + 1) != 0)
    return nullptr;
  return sets + name.size() + 1;
}

}  // namespace

extern "C" {

void kokkosp_declare_input_type(const char* name, std::size_t id, Kokkos_Tools_VariableInfo* info) {
  declare("input", name, id, *info);
}

void kokkosp_declare_output_type(const char* name, std::size_t id,
                                 Kokkos_Tools_VariableInfo* info) {
  declare("output", name, id, *info);
}

void kokkosp_begin_context(std::size_t context) {
  std::fprintf(log_file(), "{\"event\": \"begin\", \"context\": %zu}\n", context);
}

void kokkosp_end_context(std::size_t context, Kokkos_Tools_VariableValue) {
  std::fprintf(log_file(), "{\"event\": \"end\", \"context\": %zu}\n", context);
}

void kokkosp_request_values(std::size_t context, std::size_t inputs,
                            const Kokkos_Tools_VariableValue* input, std::size_t outputs,
                            Kokkos_Tools_VariableValue* output) {
  std::fprintf(log_file(),
               "{\"event\": \"request\", \"context\": %zu, \"inputs\": %s, \"outputs\": %s}\n",
               context, object(inputs, input).c_str(), object(outputs, output).c_str());
  for (std::size_t i = 0; i < outputs; ++i) {
    const Variable& variable = variables().at(output[i].type_id);
    const char* const value = wanted(variable.name);
    if (value == nullptr) continue;
    if (variable.type == kokkos_value_int64)
      output[i].value.int_value = std::strtoll(value, nullptr, 10);
    else if (variable.type == kokkos_value_double)
      output[i].value.double_value = std::strtod(value, nullptr);
    else
      std::strncpy(output[i].value.string_value, value, KOKKOS_TOOLS_TUNING_STRING_LENGTH - 1);
  }
}

void kokkosp_finalize_library() {
  std::fprintf(log_file(), "{\"event\": \"finalize\"}\n");
  std::fflush(log_file());
}
}
