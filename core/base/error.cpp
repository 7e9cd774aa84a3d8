#include "core/base/error.hpp"

#include "core/base/printable.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

namespace tessera {
namespace {

std::string input_message(const InputError::Where& where, const std::string& expected) {
  std::string text;
  if (!where.file.empty()) {
    text += where.file;
    if (where.line > 0) text += ":" + std::to_string(where.line);
    text += ": ";
  }
  if (!where.field.empty()) {
    text += printable(where.field);
    if (!where.value.empty()) text += " = " + printable(where.value);
    text += ": ";
  } else if (!where.value.empty()) {
    text += "'" + printable(where.value) + "': ";
  }
  return text + expected;
}

/// The names in their order, each once.
std::vector<std::string> distinct(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names)
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  return once;
}

std::string selection_message(const std::string& kind, const std::string& requested,
                              const std::vector<std::string>& candidates,
                              const std::string& left_out) {
  const std::string subject = kind + " '" + printable(requested) + "'";
  std::string text =
      left_out.empty() ? "unknown " + subject : subject + " is not in this build: " + left_out;
  if (candidates.empty()) return text + (left_out.empty() ? ": there are none" : "");
  const std::string guess = left_out.empty() ? nearest(requested, candidates) : "";
  if (!guess.empty()) text += ", did you mean '" + guess + "'?";
  text += " (candidates: ";
  for (std::size_t i = 0; i < candidates.size(); ++i)
    text += (i ? ", " : "") + candidates[i];
  return text + ")";
}

/// Aliases from other programs, each with the name that Tessera uses. The edit distance alone does
/// not lead from one to the other.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> other_names = {{
    {"float", "single"},
    {"float32", "single"},
    {"fp32", "single"},
    {"f32", "single"},
    {"float64", "double"},
    {"fp64", "double"},
    {"f64", "double"},
    {"gpu", "cuda"},
}};

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substitute});
    }
  }
  return row.back();
}

}  // namespace

Error::Error(const std::string& message)
    : std::runtime_error(printable(message, most_of_a_message)) {}

InputError::InputError(Where where, std::string expected)
    : Error(input_message(where, expected)),
      where_(std::move(where)),
      expected_(std::move(expected)) {}

FileError::FileError(std::string path, const std::string& doing, const std::string& reason)
    : Error(path + ": " + doing + " failed: " + reason), path_(std::move(path)) {}

ParticleError::ParticleError(std::vector<std::int64_t> particles, const std::string& message)
    : Error(message), particles_(std::move(particles)) {}

SelectionError::SelectionError(const std::string& kind, std::string requested,
                               std::vector<std::string> candidates, const std::string& left_out)
    : Error(selection_message(kind, requested, candidates = distinct(candidates), left_out)),
      requested_(std::move(requested)),
      candidates_(std::move(candidates)) {}

RefusalError::RefusalError(std::string subject, std::string reason)
    : Error(subject + " cannot run: " + reason),
      subject_(std::move(subject)),
      reason_(std::move(reason)) {}

OrdinalError::OrdinalError(std::string backend, int ordinal, int count)
    : Error("backend " + backend + " has no device " + std::to_string(ordinal) + ": there " +
            (count == 1 ? "is one, number 0"
                        : "are " + std::to_string(count) +
                              (count > 1 ? ", numbers 0 to " + std::to_string(count - 1) : ""))),
      backend_(std::move(backend)),
      ordinal_(ordinal),
      count_(count) {}

DeviceError::DeviceError(std::string call, const std::string& message, std::source_location where)
    : Error(call + " failed: " + message + " (" + where.file_name() + ":" +
            std::to_string(where.line()) + ")"),
      call_(std::move(call)),
      where_(where) {}

ArgumentError::ArgumentError(const std::string& subject, std::string argument,
                             const std::string& message)
    : Error(subject + ": " + argument + ": " + message), argument_(std::move(argument)) {}

PrepareError::PrepareError(std::string operation)
    : ArgumentError(operation + ": execute() was called without prepare(), which it requires"),
      operation_(std::move(operation)) {}

SimulationError::SimulationError(std::int64_t step, const std::string& message)
    : Error("step " + std::to_string(step) + ": " + message), step_(step) {}

std::string nearest(const std::string& text, const std::vector<std::string>& candidates) {
  std::string best;
  if (text.size() > most_of_a_value) return best;  // no name is that long
  for (const auto& [other, ours] : other_names)
    if (text == other && std::find(candidates.begin(), candidates.end(), ours) != candidates.end())
      return std::string(ours);
  std::size_t best_distance = text.size() / 3 + 2;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(text, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace tessera
