#include "core/base/checksum.hpp"
#include "core/state/element_type.hpp"
#include "core/state/restart_file.hpp"
#include "tests/campaigns/mutate.hpp"

#include <cstring>
#include <limits>

namespace tessera::campaign {
namespace {

constexpr std::size_t header_size = 32;

struct Field {
  std::string name;
  std::uint64_t type = 0;
  std::uint64_t rows = 0;
  std::uint64_t components = 0;
  std::string bytes;
};

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// Fields of a valid restart file.
std::vector<Field> fields_of(const std::string& file) {
  std::vector<Field> fields;
  std::size_t at = header_size;
  const auto number = [&] {
    std::uint64_t value = 0;
    std::memcpy(&value, file.data() + at, sizeof(value));
    at += sizeof(value);
    return value;
  };
  const auto bytes = [&](std::uint64_t count) {
    at += count;
    return file.substr(at - count, count);
  };
  while (at < file.size()) {
    Field field;
    field.name = bytes(number());
    field.type = number();
    field.rows = number();
    field.components = number();
    field.bytes =
        bytes(field.rows * field.components * size_of(static_cast<ElementType>(field.type)));
    fields.push_back(field);
  }
  return fields;
}

std::string body_of(const std::vector<Field>& fields) {
  std::string body;
  for (const Field& field : fields) {
    append(body, static_cast<std::uint64_t>(field.name.size()));
    body += field.name;
    append(body, field.type);
    append(body, field.rows);
    append(body, field.components);
    body += field.bytes;
  }
  return body;
}

template <class T>
void set_element(Field& field, Dice& dice, const std::vector<T>& values) {
  if (field.bytes.size() < sizeof(T)) return;
  const T value = dice.one_of(values);
  std::memcpy(field.bytes.data() + sizeof(T) * dice.below(field.bytes.size() / sizeof(T)), &value,
              sizeof(T));
}

template <class T>
std::vector<T> telling_reals() {
  using Limits = std::numeric_limits<T>;
  return {0,
          T(-0.0),
          -1,
          1,
          2,
          T(-7.5),
          T(1e30),
          Limits::max(),
          Limits::lowest(),
          Limits::min(),
          Limits::denorm_min(),
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN()};
}

template <class T>
std::vector<T> telling_integers() {
  using Limits = std::numeric_limits<T>;
  return {0, 1, 2, 3, -1, -7, 1000, Limits::max(), Limits::min(), Limits::max() / 2};
}

void change_element(Field& field, Dice& dice) {
  switch (static_cast<ElementType>(field.type)) {
    case ElementType::float32:
      return set_element(field, dice, telling_reals<float>());
    case ElementType::float64:
      return set_element(field, dice, telling_reals<double>());
    case ElementType::int32:
      return set_element(field, dice, telling_integers<std::int32_t>());
    case ElementType::int64:
      return set_element(field, dice, telling_integers<std::int64_t>());
    case ElementType::text:
    case ElementType::uint8:
      if (!field.bytes.empty())
        field.bytes[dice.below(field.bytes.size())] = static_cast<char>(dice.below(256));
  }
}

void change(std::vector<Field>& fields, const std::vector<std::string>& samples, Dice& dice) {
  if (fields.empty()) return;
  const std::vector<std::uint64_t> counts = {
      0, 1, 2, 3, 7, 1u << 20, 1u << 31, 1ull << 32, 1ull << 61, 1ull << 63, ~0ull};
  const std::size_t place = dice.below(fields.size());
  const auto here = fields.begin() + static_cast<std::ptrdiff_t>(place);
  Field& field = fields[place];
  switch (dice.below(12)) {
    case 0:
      field.rows = dice.one_of(counts);
      break;
    case 1:
      field.components = dice.one_of(counts);
      break;
    case 2:
      field.type = dice.below(8);
      break;
    case 3: {
      const std::size_t other = dice.below(fields.size());
      std::swap(field.name, fields[other].name);
      break;
    }
    case 4:
      fields.erase(here);
      break;
    case 5: {
      const Field copy = field;
      fields.insert(here, copy);
      break;
    }
    case 6: {
      const std::vector<Field> others = fields_of(dice.one_of(samples));
      if (others.empty()) break;
      const Field other = dice.one_of(others);
      for (Field& same : fields)
        if (same.name == other.name) same = other;
      break;
    }
    case 7: {  // one row more or fewer, in shape and data
      const std::size_t row = field.rows == 0 ? 0 : field.bytes.size() / field.rows;
      if (row == 0) break;
      if (dice.one_in(2)) {
        field.bytes.resize(field.bytes.size() - row);
        --field.rows;
      } else {
        field.bytes += field.bytes.substr(0, row);
        ++field.rows;
      }
      break;
    }
    default:
      change_element(field, dice);
  }
}

}  // namespace

std::string restart_with(std::string_view body) {
  std::string file = "TESSRST\n";
  append(file, std::uint32_t{0x01020304});
  append(file, RestartFile::version);
  append(file, static_cast<std::uint64_t>(body.size()));
  append(file, crc32(body));
  append(file, std::uint32_t{0});
  return file.append(body);
}

std::string mutate_restart(const std::vector<std::string>& samples, Dice& dice) {
  std::vector<Field> fields = fields_of(dice.one_of(samples));
  for (std::size_t changes = number_of_changes(dice); changes > 0; --changes)
    change(fields, samples, dice);
  std::string body = body_of(fields);
  if (dice.one_in(8) && !body.empty())
    body[dice.below(body.size())] = static_cast<char>(dice.below(256));
  std::string file = restart_with(body);
  if (dice.one_in(20)) file[dice.below(header_size)] = static_cast<char>(dice.below(256));
  if (dice.one_in(20)) file.resize(dice.below(file.size()));
  return file;
}

}  // namespace tessera::campaign
