#include "physics/pic/io/openpmd_file_name.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace tessera::pic {
namespace {

/// Position of "%T", or of "%06T" with another number of digits, in a name.
struct Placeholder {
  std::size_t begin, end;
  std::size_t digits;  ///< least number of digits
};

std::optional<Placeholder> placeholder(const std::string& name, std::size_t from = 0) {
  for (std::size_t at = name.find('%', from); at != std::string::npos;
       at = name.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0)
      ++end;
    const std::string digits = name.substr(at + 1, end - at - 1);
    const bool padded = digits.size() >= 2 && digits.size() <= 3 && digits[0] == '0';
    if (end == name.size() || name[end] != 'T' || (!digits.empty() && !padded)) continue;
    return Placeholder{at, end + 1, digits.empty() ? 1 : std::stoul(digits)};
  }
  return std::nullopt;
}

ArgumentError error(const std::filesystem::path& pattern, const std::string& expected) {
  return {"openPMD file", "path", pattern.string() + ": expected " + expected};
}

}  // namespace

bool is_openpmd_series(const std::filesystem::path& pattern) {
  return placeholder(pattern.filename().string()).has_value();
}

std::filesystem::path openpmd_file(const std::filesystem::path& pattern, std::uint64_t iteration) {
  std::string name = pattern.filename().string();
  if (pattern.extension() != ".h5") throw error(pattern, "a name that ends in .h5");
  if (placeholder(pattern.parent_path().string()))
    throw error(pattern, "%T in the name of the file, not in that of a folder");
  const std::optional<Placeholder> found = placeholder(name);
  if (!found) return pattern;
  if (placeholder(name, found->end)) throw error(pattern, "%T once in the name of the file");
  std::string number = std::to_string(iteration);
  number.insert(0, found->digits - std::min(found->digits, number.size()), '0');
  name.replace(found->begin, found->end - found->begin, number);
  return pattern.parent_path() / name;
}

}  // namespace tessera::pic
