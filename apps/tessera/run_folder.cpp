#include "apps/tessera/run_folder.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/input_file.hpp"
#include "core/base/logging.hpp"
#include "core/base/output_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tessera::command_line {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* record_name = "run.json";

std::string new_identity() {
  std::random_device random;
  std::string text;
  for (int i = 0; i < 4; ++i)
    text += fmt::format("{:08x}", random());
  return text;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "an unknown host";
  return name.data();
}

/// Whether the name is a relative path below the folder, and not the folder itself.
bool stays_inside(const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  return !name.empty() && name.find('\0') == std::string::npos && path.is_relative() &&
         path.has_filename() && path != "." && *path.begin() != "..";
}

/// Whether the name exists, also as a dangling link.
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  if (fs::equivalent(a, b, ignored)) return true;
  return fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored);
}

bool is_below(const fs::path& path, const fs::path& above) {
  const auto [a, b] = std::mismatch(above.begin(), above.end(), path.begin(), path.end());
  return a == above.end();
}

std::string some_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 3; ++i)
    text += (i > 0 ? ", " : "") + names[i];
  return names.size() > 3 ? text + ", ..." : text;
}

/// Files that a record lists. Skips files outside of the folder, which an edited record may name.
std::vector<std::string> files_of(const ordered_json& record) {
  std::vector<std::string> files;
  const auto list = record.find("files");
  if (list == record.end() || !list->is_array()) return files;
  for (const ordered_json& file : *list)
    if (file.is_string() && stays_inside(file.get<std::string>()))
      files.push_back(file.get<std::string>());
  return files;
}

std::string text_of(const ordered_json& record, const char* key) {
  const auto value = record.find(key);
  return value != record.end() && value->is_string() ? value->get<std::string>() : std::string();
}

/// The record of the run in a folder; an empty object where there is none, or no valid one.
ordered_json read_record(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_regular_file(folder / record_name, ignored)) return ordered_json::object();
  try {
    ordered_json record = ordered_json::parse(read_file(folder / record_name), nullptr, false);
    return record.is_object() ? record : ordered_json::object();
  } catch (const InputError&) {
    return ordered_json::object();
  }
}

/// Opens and locks a file. Retries, because another run that checks the folder holds the lock for a
/// moment.
LockedFile lock(const fs::path& path) {
  LockedFile file(path);
  for (int tries = 0; tries < 5 && file.lock() == LockedFile::Lock::of_another; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    file = LockedFile(path);
  }
  return file;
}

}  // namespace

std::string run_identity(const RestartFile& file) {
  return file.has("run.identity") ? file.text("run.identity") : std::string();
}

RunFolder::RunFolder(RunFolderOptions options) : options_(std::move(options)) {
  options_.outputs.push_back({{}, "summary.json"});
  check_names();
  const Found found = choose();
  check_inputs();
  check_free(found);
  if (!goes_on_) check_removal(found);
}

fs::path RunFolder::default_folder(int number) const {
  const std::string stem = options_.case_file.stem().string();
  return number == 1 ? stem + ".out" : fmt::format("{}-{}.out", stem, number);
}

/// Chooses the folder and returns its state.
RunFolder::Found RunFolder::choose() {
  Found found;
  const auto take = [&](const fs::path& folder) {
    folder_ = folder;
    found = look(folder);
    goes_on_ = found.own;
  };
  named_ = !options_.folder.empty();
  if (named_) {
    take(options_.folder);
  } else if (!options_.continued_from.empty()) {
    const fs::path home = options_.continued_from.parent_path();
    take(home.empty() ? fs::path(".") : home);
    named_ = found.own;
  }
  for (int number = 1; !named_; ++number) {
    take(default_folder(number));
    if (free_for_this(found)) break;
  }
  return found;
}

RunFolder::Found RunFolder::look(const fs::path& folder) const {
  Found found;
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) {
    if (is_there(folder))
      throw InputError({{}, 0, "--out", folder.string()}, "it is a link to a missing file");
    return found;
  }
  if (!fs::is_directory(status))
    throw InputError({{}, 0, "--out", folder.string()}, "expected a folder, found a file");
  const ordered_json record = read_record(folder);
  found.known = files_of(record);
  std::vector<std::string> names = found.known;
  for (const RunFile& output : options_.outputs)
    names.push_back(output.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names)
    if (is_there(folder / name)) found.there.push_back(name);
  const std::string identity = text_of(record, "run");
  found.own = !identity.empty() && identity == options_.continued_identity;
  found.writer = text_of(record, "writer");
  if (fs::is_regular_file(folder / record_name, error)) {
    try {
      found.busy = LockedFile(folder / record_name).lock() == LockedFile::Lock::of_another;
    } catch (const FileError&) {
      // The file is not writable for this user; claim() reports it.
    }
  }
  return found;
}

void RunFolder::check_names() const {
  const std::string file = options_.case_file.string();
  for (std::size_t i = 0; i < options_.outputs.size(); ++i) {
    const RunFile& output = options_.outputs[i];
    if (!stays_inside(output.name))
      throw InputError({file, 0, output.key, output.name},
                       "expected the name of a file in the folder for the output");
    const fs::path path = fs::path(output.name).lexically_normal();
    if (path == record_name)
      throw InputError({file, 0, output.key, output.name},
                       "the run keeps a list of its files there; expected another name");
    for (std::size_t k = 0; k < options_.outputs.size(); ++k) {
      const RunFile& other = options_.outputs[k];
      const fs::path taken = fs::path(other.name).lexically_normal();
      if (k == i || output.key.empty() || !(is_below(path, taken) || is_below(taken, path)))
        continue;
      throw InputError({file, 0, output.key, output.name},
                       (other.key.empty() ? std::string("the summary of the run") : other.key) +
                           " is written there; expected another name");
    }
  }
}

void RunFolder::check_inputs() const {
  for (const cases::InputFile& input : options_.inputs) {
    for (const RunFile& output : options_.outputs) {
      // A run replaces the restart file that it continues.
      if (goes_on_ && input.path == options_.continued_from && output.key == "restart.file")
        continue;
      if (same_file(input.path, folder_ / output.name))
        throw InputError({options_.case_file.string(), 0, output.key, output.name},
                         fmt::format("the run would overwrite {}, which it reads as {}; expected "
                                     "another name or folder",
                                     input.path.string(), input.key));
    }
  }
}

bool RunFolder::free_for_this(const Found& found) const {
  return !found.busy && (found.there.empty() || found.own || options_.overwrite);
}

void RunFolder::check_free(const Found& found) const {
  const std::string folder = folder_.string();
  if (found.busy)
    throw InputError({{}, 0, {}, folder},
                     fmt::format("{} is writing a run there; expected another folder (--out)",
                                 found.writer.empty() ? "another process" : found.writer));
  if (free_for_this(found)) return;
  std::string what = fmt::format("contains files of another run ({})", some_of(found.there));
  if (!options_.continued_from.empty())
    what = fmt::format("contains files of another run ({}) than that of {}", some_of(found.there),
                       options_.continued_from.string());
  throw InputError({{}, 0, {}, folder},
                   what + "; expected another folder (--out), or --overwrite to remove them");
}

void RunFolder::check_removal(const Found& found) const {
  for (const std::string& name : found.there)
    for (const cases::InputFile& input : options_.inputs)
      if (same_file(input.path, folder_ / name))
        throw InputError({{}, 0, {}, folder_.string()},
                         fmt::format("--overwrite would remove {}, which the run reads as {}; "
                                     "name another folder (--out)",
                                     name, input.key));
}

void RunFolder::remove_files(const Found& found) const {
  check_removal(found);
  for (const std::string& name : found.there) {
    std::error_code error;
    if (fs::is_directory(fs::symlink_status(folder_ / name, error)))
      throw FileError((folder_ / name).string(), "removing", "it is a folder");
    fs::remove(folder_ / name, error);
    if (error) throw FileError((folder_ / name).string(), "removing", error.message());
  }
}

void RunFolder::claim() {
  for (int number = 1;; ++number) {
    if (!named_) static_cast<void>(choose());
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw FileError(folder_.string(), "creating", error.message());
    LockedFile record = lock(folder_ / record_name);
    Found found = look(folder_);
    found.busy = record.lock() == LockedFile::Lock::of_another;
    goes_on_ = found.own;
    // Another run may have taken the folder in the meantime.
    if (!named_ && number < 100 && !free_for_this(found)) continue;
    if (record.lock() == LockedFile::Lock::unsupported)
      log_warning(folder_.string() +
                  ": files cannot be locked here; a second run could write to this folder");
    check_free(found);
    check_inputs();
    record_.emplace(std::move(record));
    if (!goes_on_) remove_files(found);
    for (const RunFile& output : options_.outputs) {
      const fs::path path = folder_ / output.name;
      fs::create_directories(path.parent_path(), error);
      if (error) throw FileError(path.parent_path().string(), "creating", error.message());
      remove_part_files(path);
    }
    check_writable();
    write_record(found);
    return;
  }
}

/// Checks, before the first step, that all output files can be written.
void RunFolder::check_writable() const {
  for (const RunFile& output : options_.outputs)
    require_writable(folder_ / output.name);
}

void RunFolder::write_record(const Found& found) {
  identity_ = goes_on_ ? options_.continued_identity : new_identity();
  std::vector<std::string> files;
  if (goes_on_) files = found.known;
  for (const RunFile& output : options_.outputs)
    if (std::find(files.begin(), files.end(), output.name) == files.end())
      files.push_back(output.name);
  ordered_json record;
  record["schema"] = "tessera.run/1";
  record["run"] = identity_;
  record["writer"] = fmt::format("process {} on {}", ::getpid(), host_name());
  record["files"] = files;
  record["case"] = options_.effective_case;
  record_->write(record.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace tessera::command_line
