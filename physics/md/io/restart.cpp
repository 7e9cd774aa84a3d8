#include <array>
#include <cstring>
#include <string_view>
#include <tessera/core/base/atomic_file.hpp>
#include <tessera/core/base/checksum.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/input_file.hpp>
#include <tessera/md/io/restart.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::md {
namespace {

constexpr std::string_view magic("TESSRST\n", 8);
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t swapped_byte_order = 0x04030201;
constexpr std::uint32_t version = 2;
constexpr std::size_t header_size = 8 + 4 + 4 + 8 + 4 + 4;

static_assert(sizeof(std::array<double, 3>) == 24 && sizeof(std::array<std::int32_t, 3>) == 12);

class BinaryWriter {
 public:
  template <typename Value>
  void put(const Value& value) requires std::is_arithmetic_v<Value> {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(Value));
  }
  void put(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  template <typename Value>
  void put(const std::vector<Value>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
  }
  void put_raw(std::string_view bytes) { bytes_ += bytes; }

  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Every get checks what is left; the checksum has passed before, so a failure means a file that
/// was not made by the writer above.
class BinaryReader {
 public:
  BinaryReader(std::string file, std::string_view bytes) : file_(std::move(file)), bytes_(bytes) {}

  [[nodiscard]] InputError error(const std::string& field, const std::string& expected) const {
    return {{file_, 0, field, ""}, expected};
  }

  template <typename Value>
  Value get() requires std::is_arithmetic_v<Value> {
    Value value;
    take(reinterpret_cast<char*>(&value), sizeof(Value));
    return value;
  }
  void get(std::string& text) {
    text.resize(get_size(1));
    take(text.data(), text.size());
  }
  template <typename Value>
  void get(std::vector<Value>& values) {
    values.resize(get_size(sizeof(Value)));
    take(reinterpret_cast<char*>(values.data()), values.size() * sizeof(Value));
  }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  std::size_t get_size(std::size_t element) {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() / element) throw inconsistent();
    return static_cast<std::size_t>(count);
  }
  void take(char* to, std::size_t count) {
    if (count > bytes_.size()) throw inconsistent();
    if (count > 0) std::memcpy(to, bytes_.data(), count);
    bytes_.remove_prefix(count);
  }
  [[nodiscard]] InputError inconsistent() const {
    return error("contents", "the restart file is inconsistent, its fields pass its length");
  }

  std::string file_;
  std::string_view bytes_;
};

std::string body_of(const Restart& restart) {
  const System& system = restart.system;
  BinaryWriter out;
  out.put(restart.units);
  out.put(restart.step);
  out.put(restart.time);
  out.put(restart.time_step);
  for (const double value : system.box.lower)
    out.put(value);
  for (const double value : system.box.length)
    out.put(value);
  for (const bool flag : system.box.periodic)
    out.put(static_cast<std::uint8_t>(flag));
  out.put(static_cast<std::uint64_t>(system.types.size()));
  for (const AtomType& type : system.types) {
    out.put(type.name);
    out.put(type.mass);
  }
  out.put(static_cast<std::uint64_t>(system.pair_coefficients.size()));
  for (const PairCoefficient& c : system.pair_coefficients) {
    out.put(static_cast<std::int32_t>(c.type_i));
    out.put(static_cast<std::int32_t>(c.type_j));
    out.put(static_cast<std::uint64_t>(c.values.size()));
    for (const auto& [name, value] : c.values) {
      out.put(name);
      out.put(value);
    }
  }
  out.put(system.ids);
  out.put(system.type);
  out.put(system.positions);
  out.put(system.images);
  out.put(system.velocities);
  out.put(system.charges);
  out.put(system.molecules);
  return out.take();
}

void check_sizes(const BinaryReader& in, const System& system) {
  const std::size_t atoms = system.positions.size();
  const auto expect = [&](std::size_t size, bool may_be_empty, const std::string& what) {
    if (size == atoms || (may_be_empty && size == 0)) return;
    throw in.error(what, "the restart file is inconsistent, expected one for each of the " +
                             std::to_string(atoms) + " atoms");
  };
  expect(system.ids.size(), false, "ids");
  expect(system.type.size(), false, "types");
  expect(system.images.size(), true, "images");
  expect(system.velocities.size(), true, "velocities");
  expect(system.charges.size(), true, "charges");
  expect(system.molecules.size(), true, "molecules");
  const auto types = static_cast<std::int32_t>(system.types.size());
  for (const std::int32_t type : system.type) {
    if (type < 0 || type >= types) {
      throw in.error("types", "the restart file is inconsistent, an atom has a type that it lacks");
    }
  }
}

Restart parse_body(BinaryReader& in) {
  Restart restart;
  System& system = restart.system;
  in.get(restart.units);
  restart.step = in.get<std::int64_t>();
  restart.time = in.get<double>();
  restart.time_step = in.get<double>();
  for (double& value : system.box.lower)
    value = in.get<double>();
  for (double& value : system.box.length)
    value = in.get<double>();
  for (bool& flag : system.box.periodic)
    flag = in.get<std::uint8_t>() != 0;
  const auto types = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < types; ++i) {
    AtomType type;
    in.get(type.name);
    type.mass = in.get<double>();
    system.types.push_back(std::move(type));
  }
  const auto coefficients = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < coefficients; ++i) {
    PairCoefficient c;
    c.type_i = in.get<std::int32_t>();
    c.type_j = in.get<std::int32_t>();
    const auto values = in.get<std::uint64_t>();
    for (std::uint64_t v = 0; v < values; ++v) {
      std::string name;
      in.get(name);
      c.values[name] = in.get<double>();
    }
    system.pair_coefficients.push_back(c);
  }
  in.get(system.ids);
  in.get(system.type);
  in.get(system.positions);
  in.get(system.images);
  in.get(system.velocities);
  in.get(system.charges);
  in.get(system.molecules);
  if (!in.at_end()) throw in.error("contents", "the restart file has more than it announces");
  check_sizes(in, system);
  return restart;
}

}  // namespace

void write_restart(const std::filesystem::path& path, const Restart& restart) {
  const std::string body = body_of(restart);
  BinaryWriter header;
  header.put_raw(magic);
  header.put(byte_order);
  header.put(version);
  header.put(static_cast<std::uint64_t>(body.size()));
  header.put(crc32(body));
  header.put(std::uint32_t{0});
  AtomicFile file(path);
  file.append(header.take());
  file.append(body);
  file.commit();
}

Restart read_restart(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  const std::string_view all(bytes);
  BinaryReader header(path.string(), all.substr(0, header_size));
  if (all.substr(0, magic.size()) != magic.substr(0, all.size()) || all.empty()) {
    throw header.error("", "expected a restart file of Tessera");
  }
  if (all.size() < header_size) {
    throw header.error("length", "the restart file is truncated: its header is not complete");
  }
  static_cast<void>(header.get<std::uint64_t>());
  const auto order = header.get<std::uint32_t>();
  if (order == swapped_byte_order) {
    throw header.error("byte order",
                       "expected a file from a machine with the byte order of this one");
  }
  if (order != byte_order) throw header.error("byte order", "the restart file is damaged");
  const auto found_version = header.get<std::uint32_t>();
  if (found_version != version) {
    throw InputError({path.string(), 0, "version", std::to_string(found_version)},
                     "expected a restart file of version " + std::to_string(version));
  }
  const auto length = header.get<std::uint64_t>();
  const auto checksum = header.get<std::uint32_t>();
  const std::string_view body = all.substr(header_size);
  if (body.size() < length) {
    throw header.error("length", "the restart file is truncated: expected " +
                                     std::to_string(length + header_size) + " bytes, found " +
                                     std::to_string(all.size()));
  }
  if (body.size() > length) {
    throw header.error("length", "the restart file is damaged: expected " +
                                     std::to_string(length + header_size) + " bytes, found " +
                                     std::to_string(all.size()));
  }
  if (crc32(body) != checksum) {
    throw header.error("checksum", "the restart file is damaged: its contents do not match it");
  }
  BinaryReader in(path.string(), body);
  return parse_body(in);
}

}  // namespace tessera::md
