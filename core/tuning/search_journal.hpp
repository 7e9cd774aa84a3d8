#ifndef TESSERA_CORE_TUNING_SEARCH_JOURNAL_HPP
#define TESSERA_CORE_TUNING_SEARCH_JOURNAL_HPP

#include "core/base/locked_file.hpp"
#include "core/tuning/landscape.hpp"

#include <filesystem>
#include <optional>

/// \file
/// What a search has measured, kept beside the tuning database until it ends, so that one that was
/// stopped goes on.

namespace tessera {

/// The file of one search in the folder `<database>.searches`. Searches hold the lock of that
/// folder together; one that begins while there is no other removes what nobody will go on from.
class SearchJournal {
 public:
  /// \param database absent: nothing is kept.
  /// \throws FileError where the folder cannot be written.
  SearchJournal(const std::optional<std::filesystem::path>& database, const Landscape& search);

  /// What the same search has measured before. One that cannot be read is told in a warning.
  [[nodiscard]] Measured former() const;
  /// \throws FileError
  void keep(const Landscape& search) const;
  /// The search has ended.
  void remove() const;

 private:
  std::filesystem::path path_;
  std::vector<Candidate> candidates_;
  std::optional<LockedFile> lock_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_SEARCH_JOURNAL_HPP
