#include "core/state/restart_file.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/checksum.hpp"
#include "core/base/input_file.hpp"
#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>

namespace tessera {
namespace {

constexpr std::string_view magic = RestartFile::magic;
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t swapped_byte_order = 0x04030201;
constexpr std::size_t header_size = 8 + 4 + 4 + 8 + 4 + 4;
constexpr std::uint64_t most_components = 1 << 20;
constexpr std::string_view scalar_prefix = "scalar.";

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// Reads fields from the front of the body. The checksum has been verified before, so a failure
/// means that this class did not write the file.
class Cursor {
 public:
  Cursor(const std::string& file, std::string_view bytes) : file_(file), bytes_(bytes) {}

  template <class T>
  T take() {
    T value;
    const std::string_view bytes = take(sizeof(T));
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size())
      throw InputError({file_, 0, "contents", ""},
                       "the restart file is inconsistent, its fields exceed its length");
    const std::string_view taken = bytes_.substr(0, static_cast<std::size_t>(count));
    bytes_.remove_prefix(taken.size());
    return taken;
  }
  [[nodiscard]] std::uint64_t left() const { return bytes_.size(); }

 private:
  const std::string& file_;
  std::string_view bytes_;
};

/// The body of a file with a valid header.
std::string_view body_of(const std::string& file, std::string_view all) {
  const auto error = [&](const std::string& field, const std::string& expected,
                         const std::string& value = "") {
    return InputError({file, 0, field, value}, expected);
  };
  if (all.substr(0, magic.size()) != magic.substr(0, all.size()) || all.empty())
    throw error("", "expected a restart file of Tessera");
  if (all.size() < header_size)
    throw error("length", "the restart file is truncated: its header is not complete");
  Cursor header(file, all.substr(magic.size()));
  const auto order = header.take<std::uint32_t>();
  if (order == swapped_byte_order)
    throw error("byte order", "expected a file from a machine with the byte order of this one");
  if (order != byte_order) throw error("byte order", "the restart file is damaged");
  const auto version = header.take<std::uint32_t>();
  if (version != RestartFile::version)
    throw error(
        "version",
        "expected a restart file of version " + std::to_string(RestartFile::version) +
            (version < RestartFile::version ? "; write a frame with velocities by the program that "
                                              "wrote the file, and start from the frame"
                                            : "; it was written by a later program"),
        std::to_string(version));
  const auto length = header.take<std::uint64_t>();
  const auto checksum = header.take<std::uint32_t>();
  const std::string_view body = all.substr(header_size);
  if (body.size() != length)
    throw error("length", std::string("the restart file is ") +
                              (body.size() < length ? "truncated" : "damaged") + ": expected " +
                              std::to_string(length + header_size) + " bytes, found " +
                              std::to_string(all.size()));
  if (crc32(body) != checksum)
    throw error("checksum", "the restart file is damaged: its contents do not match it");
  return body;
}

bool is_real(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64;
}

template <class T>
bool all_finite(const void* elements, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
    T value;
    std::memcpy(&value, static_cast<const char*>(elements) + at, sizeof(T));
    if (!std::isfinite(value)) return false;
  }
  return true;
}

template <class From, class To>
void convert_elements(const std::string& bytes, void* elements) {
  const std::size_t count = bytes.size() / sizeof(From);
  for (std::size_t i = 0; i < count; ++i) {
    From from;
    std::memcpy(&from, bytes.data() + i * sizeof(From), sizeof(From));
    const To to = static_cast<To>(from);
    std::memcpy(static_cast<char*>(elements) + i * sizeof(To), &to, sizeof(To));
  }
}

}  // namespace

void RestartFile::put_bytes(const std::string& name, ElementType type, std::int64_t rows,
                            int components, const void* elements) {
  if (has(name)) throw ArgumentError("the restart file has a field '" + name + "' already");
  Field field{name, type, rows, components, {}};
  const std::size_t bytes = static_cast<std::size_t>(rows * components) * size_of(type);
  if (bytes > 0) field.bytes.assign(static_cast<const char*>(elements), bytes);
  fields_.push_back(std::move(field));
}

void RestartFile::write(const std::filesystem::path& path) const {
  std::string body;
  for (const Field& field : fields_) {
    append(body, static_cast<std::uint64_t>(field.name.size()));
    body += field.name;
    append(body, static_cast<std::uint64_t>(field.type));
    append(body, static_cast<std::uint64_t>(field.rows));
    append(body, static_cast<std::uint64_t>(field.components));
    body += field.bytes;
  }
  std::string header(magic);
  append(header, byte_order);
  append(header, version);
  append(header, static_cast<std::uint64_t>(body.size()));
  append(header, crc32(body));
  append(header, std::uint32_t{0});
  AtomicFile file(path);
  file.append(header);
  file.append(body);
  file.commit();
}

RestartFile RestartFile::read(const std::filesystem::path& path) {
  RestartFile result;
  result.file_ = path.string();
  const std::string bytes = read_file(path);
  Cursor cursor(result.file_, body_of(result.file_, bytes));
  while (cursor.left() > 0) {
    Field field;
    field.name = cursor.take(cursor.take<std::uint64_t>());
    const auto type = cursor.take<std::uint64_t>();
    const auto rows = cursor.take<std::uint64_t>();
    const auto components = cursor.take<std::uint64_t>();
    field.type = static_cast<ElementType>(type);
    const std::uint64_t element = type < 256 ? size_of(field.type) : 0;
    if (element == 0) throw result.error(field.name, "the field has an unknown element type");
    if (result.has(field.name)) throw result.error(field.name, "the field occurs twice");
    if (components < 1 || components > most_components ||
        rows > cursor.left() / element / components)
      throw result.error(field.name, "the field exceeds the length of the restart file");
    field.rows = static_cast<std::int64_t>(rows);
    field.components = static_cast<int>(components);
    field.bytes = cursor.take(rows * components * element);
    result.fields_.push_back(std::move(field));
  }
  return result;
}

std::vector<std::string> RestartFile::columns_not_taken(std::int64_t rows) const {
  std::vector<std::string> names;
  for (const Field& field : fields_)
    if (!field.taken && field.rows == rows && field.type != ElementType::text &&
        field.name.find('.') == std::string::npos)
      names.push_back(field.name);
  return names;
}

const RestartFile::Field* RestartFile::find(const std::string& name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == fields_.end() ? nullptr : &*found;
}

const RestartFile::Field& RestartFile::expect(const std::string& name, ElementType type,
                                              std::int64_t rows, int components) const {
  const Field* const field = find(name);
  if (field == nullptr) throw error(name, "the restart file lacks this field");
  if (field->type != type && !(is_real(field->type) && is_real(type)))
    throw error(name, "expected elements of type " + std::string(tessera::name(type)) + ", found " +
                          std::string(tessera::name(field->type)));
  if ((rows >= 0 && field->rows != rows) || field->components != components)
    throw error(name, "the restart file is inconsistent, expected " +
                          (rows < 0 ? "rows" : std::to_string(rows) + " rows") + " of " +
                          std::to_string(components) + ", found " + std::to_string(field->rows) +
                          " of " + std::to_string(field->components));
  field->taken = true;
  return *field;
}

void RestartFile::convert(const Field& field, ElementType to, void* elements) const {
  if (field.type == ElementType::float64 &&
      !all_finite<double>(field.bytes.data(), field.bytes.size()))
    throw error(field.name, "expected finite numbers");
  if (field.type == ElementType::float32 &&
      !all_finite<float>(field.bytes.data(), field.bytes.size()))
    throw error(field.name, "expected finite numbers");
  if (field.type == to) {
    if (!field.bytes.empty()) std::memcpy(elements, field.bytes.data(), field.bytes.size());
  } else if (to == ElementType::float64) {
    convert_elements<float, double>(field.bytes, elements);
  } else {
    convert_elements<double, float>(field.bytes, elements);
    if (!all_finite<float>(elements, field.bytes.size() / 2))
      throw error(field.name, "its numbers are beyond the range of single precision");
  }
}

std::string RestartFile::text(const std::string& name) const {
  return expect(name, ElementType::text, -1, 1).bytes;
}

void save(const Columns& columns, RestartFile& file) {
  std::string host;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ColumnInfo& info = columns.info(c);
    if (!info.use.saved) continue;
    host.resize(columns.bytes(c));
    columns.copy_to_host(c, host.data());
    file.put_bytes(info.name, info.type, columns.owned(), info.components, host.data());
  }
}

void load(const RestartFile& file, Columns& columns) {
  std::string host;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ColumnInfo& info = columns.info(c);
    if (!info.use.saved || !file.has(info.name)) continue;
    host.resize(columns.bytes(c));
    const RestartFile::Field& field =
        file.expect(info.name, info.type, columns.owned(), info.components);
    file.convert(field, info.type, host.data());
    columns.copy_from_host(c, host.data());
  }
}

void save(const StepClock& clock, RestartFile& file) {
  file.put("step", clock.step());
  file.put("time_step", clock.time_step());
  file.put("origin_step", clock.origin_step());
  file.put("origin_time", clock.origin_time());
}

StepClock load_clock(const RestartFile& file) {
  const auto step = file.value<std::int64_t>("step");
  const auto origin = file.value<std::int64_t>("origin_step");
  if (step < 0) throw file.error("step", "expected 0 or more", std::to_string(step));
  if (origin < 0 || origin > step)
    throw file.error("origin_step", "expected 0 to the step, " + std::to_string(step),
                     std::to_string(origin));
  const StepClock clock(file.value<double>("time_step"), step, origin,
                        file.value<double>("origin_time"));
  if (!std::isfinite(clock.time()))
    throw file.error("time_step", "expected a time that is finite",
                     shortest_number(clock.time_step()));
  return clock;
}

void save(const RestartScalars& scalars, RestartFile& file) {
  for (const auto& [name, value] : scalars.all())
    std::visit([&, &field = name](auto v) { file.put(std::string(scalar_prefix) + field, v); },
               value);
}

RestartScalars load_scalars(const RestartFile& file) {
  RestartScalars scalars;
  for (const RestartFile::Field& field : file.fields_) {
    if (!field.name.starts_with(scalar_prefix)) continue;
    const std::string name = field.name.substr(scalar_prefix.size());
    if (field.type == ElementType::int64)
      scalars.put(name, file.value<std::int64_t>(field.name));
    else
      scalars.put(name, file.value<double>(field.name));
  }
  return scalars;
}

}  // namespace tessera
