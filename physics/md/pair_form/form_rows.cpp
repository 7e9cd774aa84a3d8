#include "physics/md/pair_form/form_rows.hpp"

#include <algorithm>

namespace tessera::md {

void FormRows::add(const std::string& implementation, Precision precision, const std::string& form,
                   FormRow row) {
  rows_[{implementation, precision, form}] = row;
}

std::optional<FormRow> FormRows::find(const std::string& implementation, Precision precision,
                                      const PairForm& form) const {
  if (const auto at = rows_.find({implementation, precision, form.name_of_row()});
      at != rows_.end())
    return at->second;
  const bool switchable = std::all_of(form.parts().begin(), form.parts().end(),
                                      [](const PairFormPart& part) { return part.index >= 0; });
  if (!switchable) return {};
  const auto any = rows_.find({implementation, precision, "*"});
  return any == rows_.end() ? std::nullopt : std::optional(any->second);
}

std::vector<std::string> FormRows::forms(const std::string& implementation,
                                         Precision precision) const {
  std::vector<std::string> names;
  for (const auto& [key, row] : rows_)
    if (std::get<0>(key) == implementation && std::get<1>(key) == precision)
      names.push_back(std::get<2>(key));
  return names;
}

std::set<std::string> FormRows::forms() const {
  std::set<std::string> names;
  for (const auto& [key, row] : rows_)
    names.insert(std::get<2>(key));
  return names;
}

FormRows& form_rows() {
  static FormRows rows;
  return rows;
}

std::optional<std::string> refuse_form(const std::string& implementation, Precision precision,
                                       const std::string& form) {
  if (form_rows().find(implementation, precision, pair_forms().find(form))) return {};
  std::string have;
  for (const std::string& name : form_rows().forms(implementation, precision))
    if (name != "*") have += (have.empty() ? "" : ", ") + name;
  return "has no pair loop for the form '" + form + "' in " + std::string(name(precision)) +
         (have.empty() ? ", nor for any other" : ", it has those for " + have) +
         "; cmake -DTESSERA_PAIR_FORMS=\"default;" + form + "\" BUILD_FOLDER and a build add it";
}

}  // namespace tessera::md
