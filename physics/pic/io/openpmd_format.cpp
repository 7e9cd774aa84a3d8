#include "physics/pic/io/openpmd_format.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace tessera::pic {
namespace {

constexpr std::array<std::string_view, 6> adios_endings = {".bp",  ".bp3", ".bp4",
                                                           ".bp5", ".sst", ".ssc"};

bool exists_in(const std::filesystem::path& folder, const char* name) {
  std::error_code ignored;
  return std::filesystem::exists(folder / name, ignored);
}

/// First character of a file that is not white space; 0 if there is none.
char first_character(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return 0;
  std::ifstream file(path, std::ios::binary);
  char c = 0;
  return file >> c ? c : '\0';
}

/// Name of the format of a series if it is not HDF5; empty for HDF5 and for files that are not
/// openPMD series.
std::string other_format(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::string ending = path.extension().string();
  if (std::filesystem::is_directory(path, ignored) &&
      (exists_in(path, "md.idx") || exists_in(path, "md.0") || exists_in(path, "data.0")))
    return "a folder of ADIOS2";
  if (std::find(adios_endings.begin(), adios_endings.end(), ending) != adios_endings.end())
    return "an openPMD series in ADIOS2";
  if (ending == ".json") return "an openPMD series in JSON";
  if (ending == ".toml") return "an openPMD series in TOML";
  if (ending == ".h5" && first_character(path) == '{') return "JSON";
  return {};
}

}  // namespace

bool is_hdf5(const std::filesystem::path& path) {
  // HDF5 File Format Specification, "Format Signature".
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string start(signature.size(), '\0');
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == signature;
}

bool is_other_openpmd_format(const std::filesystem::path& path) {
  return !other_format(path).empty();
}

void refuse_other_openpmd_formats(const std::filesystem::path& path) {
  const std::string format = other_format(path);
  if (format.empty()) return;
  std::filesystem::path converted = path;
  converted.replace_extension(path.extension() == ".h5" ? ".hdf5.h5" : ".h5");
  throw InputError({path.string(), 0, {}, {}},
                   fmt::format("this is {}, expected HDF5; openPMD-api converts it: openpmd-pipe "
                               "--infile {} --outfile {}",
                               format, path.string(), converted.string()));
}

}  // namespace tessera::pic
