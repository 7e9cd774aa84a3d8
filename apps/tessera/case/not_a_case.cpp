#include "apps/tessera/case/not_a_case.hpp"

#include "apps/tessera/case/set_option.hpp"
#include "core/base/error.hpp"
#include "core/state/restart_file.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <vector>

namespace tessera::app {
namespace {

/// A field that only restart files of beams have.
constexpr const char* of_beams = "line.steps";

std::string as_restart(const std::filesystem::path& path) {
  std::string key = "system.restart";
  try {
    if (RestartFile::read(path).has(of_beams)) key = "bunch.restart";
  } catch (const InputError&) {
    // The reader of restart files reports errors in the file.
  }
  return "is a restart file; expected a case file, which continues from it with: tessera run "
         "CASE.toml " +
         set_option(key, path.string());
}

std::string as_input(const std::string& what, const std::string& key) {
  return "is " + what + "; expected a case file, in which " + key + " names it";
}

/// First lines, enough to recognise a format.
std::vector<std::string> head_of(std::string_view text) {
  std::istringstream lines{std::string(text.substr(0, 4000))};
  std::vector<std::string> head;
  for (std::string line; std::getline(lines, line);)
    head.push_back(line);
  return head;
}

/// Whether the line is a count of atoms, as in "32000 atoms".
bool counts_atoms(const std::string& line) {
  std::istringstream words(line);
  std::int64_t count = 0;
  std::string what;
  return words >> count >> what && what == "atoms";
}

bool is_a_count(const std::string& line) {
  std::istringstream words(line);
  std::int64_t count = 0;
  std::string more;
  return words >> count && !(words >> more);
}

bool is_a_command(const std::string& line) {
  std::istringstream words(line);
  std::string first;
  return words >> first &&
         (first == "pair_style" || first == "atom_style" || first == "pair_coeff");
}

}  // namespace

std::string other_than_a_case(const std::filesystem::path& path, std::string_view text) {
  const std::string ending = path.extension().string();
  const std::vector<std::string> head = head_of(text);
  if (text.starts_with(RestartFile::magic)) return as_restart(path);
  if (text.starts_with("\x89HDF\r\n")) return as_input("an HDF5 file", "bunch.file");
  if (text.starts_with("\x7f"
                       "ELF"))
    return "is a program or a library; expected a case file (tessera --plugin loads a library)";
  if (std::any_of(head.begin(), head.end(), counts_atoms))
    return as_input("a LAMMPS data file", "system.file");
  if (!head.empty() && is_a_count(head.front())) return as_input("an XYZ file", "system.file");
  if (std::any_of(head.begin(), head.end(), is_a_command))
    return "is an input script of LAMMPS, which is not read; expected a case file ('tessera help "
           "case' has its keys)";
  if (text.starts_with("{"))
    return "is a JSON file; expected a case file ('tessera run --pin' takes a pin)";
  if (ending == ".csv" || ending == ".npy") return as_input("a table", "bunch.file");
  return {};
}

std::string folder_for_a_case(const std::filesystem::path& folder) {
  const std::string start = "is a folder; expected a case file";
  std::vector<std::filesystem::path> cases;
  std::filesystem::path restart;
  std::error_code failure;
  for (std::filesystem::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().extension() == ".toml") cases.push_back(at->path());
    if (at->path().filename() == "restart.tessera") restart = at->path();
  }
  if (!cases.empty())
    return start + ", such as " + std::min_element(cases.begin(), cases.end())->string();
  return restart.empty() ? start : start + "; " + restart.string() + ' ' + as_restart(restart);
}

}  // namespace tessera::app
