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
/// The folder that a run writes to: whose it is, and that nobody else writes there.

namespace tessera::command_line {

/// A file that a run writes.
struct RunFile {
  std::string key;   ///< of the case, as in "thermo.file"; empty where it has none
  std::string name;  ///< relative to the folder
};

struct RunFolderOptions {
  std::filesystem::path case_file;
  std::filesystem::path folder;  ///< as named by the user; empty: the case's name + .out, or the
                                 ///< next one that is free, or that of the run that goes on
  std::vector<RunFile> outputs;
  std::vector<cases::InputFile> inputs;  ///< the case file among them
  std::filesystem::path continued_from;  ///< restart file that the run goes on from; or empty
  std::string continued_identity;        ///< that of the run that wrote it
  bool overwrite = false;                ///< another run's folder is taken, its files removed
};

/// Every run has an identity, which its restart files and its folder hold (`run.json`, with the
/// names of the run's files and the process that writes them). A run that goes on from a restart
/// file in the folder of the same run is that run; everything else is another one.
///
/// Constructing one looks and changes nothing, so that what is wrong is told before the first step;
/// `claim` makes the folder and keeps it locked until the end of the process.
class RunFolder {
 public:
  /// \throws InputError when an output has no name in the folder, or is also another output or an
  ///         input, when the folder holds another run, and when a run is writing to it.
  explicit RunFolder(RunFolderOptions options);

  /// \throws InputError as above; FileError when files cannot be made in the folder.
  void claim();

  [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
  [[nodiscard]] const std::string& identity() const { return identity_; }
  /// Whether the streams of the folder are those that the restart file tells of.
  [[nodiscard]] bool goes_on() const { return goes_on_; }

 private:
  /// What the folder says.
  struct Found {
    bool own = false;
    bool busy = false;               ///< a process that runs writes there
    std::vector<std::string> there;  ///< files of that run and of the outputs that exist
    std::vector<std::string> known;  ///< files of that run, whether they exist or not
    std::string writer;              ///< process that wrote there last, in words
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
  bool named_ = false;  ///< by the user or by the restart file, so that no other will do
  bool goes_on_ = false;
  std::optional<LockedFile> record_;
};

/// The identity that a restart file holds; empty: none.
[[nodiscard]] std::string run_identity(const RestartFile& file);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUN_FOLDER_HPP
