#ifndef TESSERA_CORE_TUNING_SEARCH_JOURNAL_HPP
#define TESSERA_CORE_TUNING_SEARCH_JOURNAL_HPP

#include "core/base/locked_file.hpp"
#include "core/tuning/landscape.hpp"

#include <filesystem>
#include <optional>

/// \file
/// The measurements of a running search, stored beside the tuning database until the search ends,
/// so that an interrupted search can continue.

namespace tessera {

/// The file of one search in the folder `<database>.searches`. Searches share the lock of that
/// folder. A search that starts alone removes old files.
class SearchJournal {
 public:
  /// \param database nothing is stored where it is absent.
  /// \throws FileError where the folder cannot be written.
  SearchJournal(const std::optional<std::filesystem::path>& database, const Landscape& search);

  /// Earlier measurements of the same search. Logs a warning where the file cannot be read.
  [[nodiscard]] Measured former() const;
  /// \throws FileError
  void keep(const Landscape& search) const;
  /// Removes the file at the end of the search.
  void remove() const;

 private:
  std::filesystem::path path_;
  std::vector<Candidate> candidates_;
  std::optional<LockedFile> lock_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_SEARCH_JOURNAL_HPP
