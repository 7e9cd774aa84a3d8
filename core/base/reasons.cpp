#include "core/base/reasons.hpp"

#include <algorithm>

namespace tessera {

std::string Reasons::Entry::names(std::size_t most) const {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, subjects.size()); ++i)
    text += (i == 0 ? "" : ", ") + subjects[i];
  if (subjects.size() <= most) return text;
  return text + " and " + std::to_string(subjects.size() - most) + " more";
}

void Reasons::add(std::string_view subject, std::string_view reason) {
  auto at = std::find_if(entries_.begin(), entries_.end(),
                         [&](const Entry& entry) { return entry.reason == reason; });
  if (at == entries_.end()) at = entries_.insert(at, {std::string(reason), {}});
  if (std::find(at->subjects.begin(), at->subjects.end(), subject) == at->subjects.end())
    at->subjects.emplace_back(subject);
}

std::string Reasons::text() const {
  std::string text;
  for (const Entry& entry : entries_)
    text += (text.empty() ? "" : "; ") + entry.names() + ": " + entry.reason;
  return text;
}

}  // namespace tessera
