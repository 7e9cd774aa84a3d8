#include "physics/md/pair_potential/pair_potential.hpp"

#include "core/base/error.hpp"
#include "core/operations/registry.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <mutex>

namespace tessera::md {
namespace {

void set_points(PairPotentialPart& part, const std::string& text) {
  int points = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, points);
  constexpr int most = 100000;
  if (part.set_points == nullptr || error != std::errc() || stop != end || points < 2 ||
      points > most)
    throw ArgumentError("pair potential '" + part.name + ':' + text + "': expected " +
                        (part.set_points == nullptr
                             ? "no number of points: only a table has points"
                             : "from 2 to " + std::to_string(most) + " points"));
  part.set_points(part, points);
}

bool is_charged(const PairPotentialPart& part) {
  return (part.reads & AtomData::charge) != 0;
}

}  // namespace

PairPotential::PairPotential(std::vector<PairPotentialPart> parts) : parts_(std::move(parts)) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    name_ += (p == 0 ? "" : "+") + parts_[p].name;
    if (parts_[p].points != 0) name_ += ':' + std::to_string(parts_[p].points);
    const auto before = std::ssize(fields_);
    const auto rename = [&](std::string& field_name) {
      const bool taken = std::any_of(fields_.begin(), fields_.begin() + before,
                                     [&](const auto& other) { return other.name == field_name; });
      if (taken) field_name.insert(0, prefix(p));
    };
    for (CoefficientField field : parts_[p].fields) {
      rename(field.name);
      rename(field.required_by);
      rename(field.below);
      fields_.push_back(std::move(field));
    }
  }
}

std::string PairPotential::prefix(std::size_t p) const {
  if (p == 0) return "";
  const auto end = parts_.begin() + static_cast<std::ptrdiff_t>(p);
  if (is_charged(*end) && std::none_of(parts_.begin(), end, is_charged)) return "coulomb_";
  std::string prefix = end->name + '_';
  for (char& letter : prefix)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return prefix;
}

std::string PairPotential::name_of_row() const {
  std::string name;
  for (const PairPotentialPart& part : parts_)
    name += (name.empty() ? "" : "+") + part.name;
  return name;
}

unsigned PairPotential::reads() const {
  unsigned values = 0;
  for (const PairPotentialPart& part : parts_)
    values |= part.reads;
  return values;
}

std::size_t PairPotential::field(const std::string& name) const {
  const auto at = std::find_if(fields_.begin(), fields_.end(),
                               [&](const CoefficientField& f) { return f.name == name; });
  if (at != fields_.end()) return static_cast<std::size_t>(at - fields_.begin());
  std::vector<std::string> names;
  for (const CoefficientField& f : fields_)
    names.push_back(f.name);
  throw SelectionError("coefficient of " + name_, name, names);
}

double PairPotential::cutoff(const double* fields) const {
  double largest = 0;
  for (const PairPotentialPart& part : parts_) {
    largest = std::max(largest, fields[0]);
    fields += part.fields.size();
  }
  return largest;
}

int PairPotential::table_width() const {
  if (parts_.size() == 1) return 1 + parts_.front().width;
  int width = 1;
  for (const PairPotentialPart& part : parts_)
    width += 1 + part.width;
  return width;
}

void PairPotential::pack(const double* fields, double* row, std::vector<double>* samples) const {
  const double largest = cutoff(fields);
  *row++ = largest * largest;
  for (const PairPotentialPart& part : parts_) {
    if (parts_.size() > 1) *row++ = fields[0] * fields[0];
    part.pack(fields, row);
    if (part.samples > 0) {
      if (samples == nullptr)
        throw ArgumentError(
            "pair potential '" + name_ +
            "': expected memory for its samples, a column without samples was given");
      const std::size_t first = samples->size();
      samples->resize(first + static_cast<std::size_t>(part.samples));
      part.pack_samples(fields, part.points, static_cast<double>(first), row,
                        samples->data() + first);
    }
    row += part.width;
    fields += part.fields.size();
  }
}

bool PairPotential::writes(unsigned sums) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const PairPotentialPart& part) { return (part.writes & sums) != 0; });
}

bool PairPotential::central() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const PairPotentialPart& part) { return part.central; });
}

PairValue PairPotential::evaluate(const double* row, double r, double charge_i, double charge_j,
                                  const double* samples) const {
  if (!central() || reads(~AtomData::charge))
    throw ArgumentError("pair potential '" + name_ +
                        "': expected a central potential that reads at most charges");
  return evaluate(row, charged_pair(r, charge_i, charge_j), samples);
}

PairValue PairPotential::evaluate(const double* row, const PairAtoms& pair,
                                  const double* samples) const {
  PairValue sum;
  const bool several = parts_.size() > 1;
  if (several) ++row;
  for (const PairPotentialPart& part : parts_) {
    const double cutoff_sq = *row++;
    if (pair.r * pair.r < cutoff_sq) {
      PairValue value;
      part.evaluate(row, samples, pair, value);
      sum.energy += value.energy;
      sum.force_over_r += value.force_over_r;
      for (std::size_t d = 0; d < 3; ++d) {
        sum.force[d] += value.force[d];
        sum.torque_i[d] += value.torque_i[d];
        sum.torque_j[d] += value.torque_j[d];
      }
    }
    row += part.width;
  }
  return sum;
}

PairPotentials::PairPotentials() {
  add_built_in_potentials(*this);
}

void PairPotentials::add(PairPotentialPart part) {
  const std::unique_lock lock(mutex_);
  std::string name = part.name;
  parts_.insert_or_assign(std::move(name), std::move(part));
}

void PairPotentials::remove(const std::string& name) {
  const std::unique_lock lock(mutex_);
  parts_.erase(name);
}

PairPotential PairPotentials::find(const std::string& name) const {
  std::shared_lock lock(mutex_);
  std::vector<PairPotentialPart> found;
  std::size_t start = 0;
  while (start <= name.size()) {
    const std::size_t end = std::min(name.find('+', start), name.size());
    const std::string word = name.substr(start, end - start);
    const std::size_t colon = word.find(':');
    const auto at = parts_.find(word.substr(0, colon));
    if (at == parts_.end()) throw SelectionError("pair potential", word, names_unguarded());
    found.push_back(at->second);
    if (colon != std::string::npos) set_points(found.back(), word.substr(colon + 1));
    start = end + 1;
  }
  lock.unlock();
  if (found.size() > PairPotential::most_parts)
    throw ArgumentError("pair potential '" + name + "': expected at most " +
                        std::to_string(PairPotential::most_parts) + " parts");
  for (std::size_t p = 1; p < found.size(); ++p) {
    const auto before = found.begin() + static_cast<std::ptrdiff_t>(p);
    const auto refuse = [&](const std::string& expected) {
      throw ArgumentError("pair potential '" + name + "': expected " + expected);
    };
    if (std::any_of(found.begin(), before,
                    [&](const auto& other) { return other.name == found[p].name; }))
      refuse("'" + found[p].name + "' once");
    if (!is_charged(found[p]) && std::any_of(found.begin(), before, is_charged))
      refuse("parts that read charges after those that read none");
    if (found[p].points > 0) refuse("a table as the first part");
  }
  return PairPotential(std::move(found));
}

std::vector<std::string> PairPotentials::names() const {
  const std::shared_lock lock(mutex_);
  return names_unguarded();
}

std::vector<std::string> PairPotentials::names_unguarded() const {
  std::vector<std::string> names;
  for (const auto& [name, part] : parts_)
    names.push_back(name);
  return names;
}

std::vector<std::string> PairPotentials::sums() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::string> sums;
  for (const auto& [first, part] : parts_)
    for (const auto& [second, other] : parts_)
      if (!is_charged(part) && is_charged(other)) sums.push_back(first + "+" + second);
  return sums;
}

PairPotentials& pair_potentials(Registry& registry) {
  return registry.part<PairPotentials>();
}

PairPotentials& pair_potentials() {
  return pair_potentials(registry());
}

}  // namespace tessera::md
