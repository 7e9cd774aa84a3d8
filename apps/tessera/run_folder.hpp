#ifndef TESSERA_APPS_TESSERA_RUN_FOLDER_HPP
#define TESSERA_APPS_TESSERA_RUN_FOLDER_HPP

#include "core/base/locked_file.hpp"
#include "core/case/case.hpp"
#include "core/state/restart_file.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The output folder of a run: the run that it belongs to, and protection against a second writer.

namespace tessera::command_line {

/// A file that a run writes.
struct RunFile {
  std::string key;   ///< key in the case, as in "thermo.file"; empty where it has none
  std::string name;  ///< relative to the folder
};

struct RunFolderOptions {
  std::filesystem::path case_file;
  std::string effective_case;  ///< with every default, for the record of the run
  /// Folder that the user named. Empty: the folder of the run that is continued, otherwise the name
  /// of the case with the ending .out, or with a number where that folder is taken.
  std::filesystem::path folder;
  std::vector<RunFile> outputs;
  std::vector<cases::InputFile> inputs;  ///< including the case file
  std::filesystem::path continued_from;  ///< restart file that the run continues; or empty
  std::string continued_identity;        ///< identity of the run that wrote it
  bool overwrite = false;                ///< take the folder of another run and remove its files
};

/// Every run has an identity, which its restart files and its folder hold (`run.json`, with the
/// names of the run's files and the process that writes them). A run that continues a restart file
/// in the folder of the same run keeps its identity; every other run is a new one.
///
/// The constructor only checks and changes nothing, so that errors are reported before the first
/// step; `claim` creates the folder and keeps it locked until the end of the process.
class RunFolder {
 public:
  /// \throws InputError when an output has no name in the folder, or is also another output or an
  ///         input, when the folder holds another run, and when a run is writing to it.
  explicit RunFolder(RunFolderOptions options);

  /// \throws InputError as above; FileError when files cannot be created in the folder.
  void claim();

  [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
  [[nodiscard]] const std::string& identity() const { return identity_; }
  /// Whether this run continues the run in the folder, so that the streams there are those that the
  /// restart file describes.
  [[nodiscard]] bool goes_on() const { return goes_on_; }

 private:
  /// State of the folder.
  struct Found {
    bool own = false;   ///< the record is of the run that is continued
    bool busy = false;  ///< a running process writes to the folder
    /// Files that exist in the folder: outputs of this run, and files that the record lists.
    std::vector<std::string> there;
    /// Files that the record in the folder lists, whether they exist or not.
    std::vector<std::string> known;
    std::string writer;  ///< the last process that wrote to the folder, in words
  };

  [[nodiscard]] std::filesystem::path default_folder(int number) const;
  [[nodiscard]] Found look(const std::filesystem::path& folder) const;
  Found choose();
  void check_names() const;
  void check_inputs() const;
  [[nodiscard]] bool free_for_this(const Found& found) const;
  void check_free(const Found& found) const;
  void check_removal(const Found& found) const;
  void remove_files(const Found& found) const;
  void check_writable() const;
  void write_record(const Found& found);

  RunFolderOptions options_;
  std::filesystem::path folder_;
  std::string identity_;
  /// Whether the user or the restart file determines the folder, so that no other folder is tried.
  bool named_ = false;
  bool goes_on_ = false;
  std::optional<LockedFile> record_;
};

/// Identity in a restart file; empty: none.
[[nodiscard]] std::string run_identity(const RestartFile& file);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUN_FOLDER_HPP
