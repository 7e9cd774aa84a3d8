#include "physics/pic/simulation/array_files.hpp"

#include "core/base/atomic_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

namespace tessera::pic {
namespace {

/// Magic, version 1.0, and a dictionary padded to a multiple of 64 bytes.
std::string npy_header(const std::vector<std::int64_t>& shape) {
  std::string text = std::string("{'descr': '") +
                     (std::endian::native == std::endian::little ? "<f8" : ">f8") +
                     "', 'fortran_order': False, 'shape': (";
  for (const std::int64_t extent : shape)
    text += std::to_string(extent) + ", ";
  text += "), }";
  constexpr std::size_t before = 10;
  const std::size_t size = (before + text.size() + 1 + 63) / 64 * 64 - before;
  text.resize(size - 1, ' ');
  text += '\n';
  std::string header = "\x93NUMPY";
  header += {'\x01', '\x00', static_cast<char>(size % 256), static_cast<char>(size / 256)};
  return header + text;
}

void write_npy(const std::filesystem::path& path, const std::vector<std::int64_t>& shape,
               const std::vector<double>& values) {
  std::string bytes = npy_header(shape);
  const std::size_t at = bytes.size();
  bytes.resize(at + values.size() * sizeof(double));
  if (!values.empty())
    std::memcpy(bytes.data() + at, values.data(), values.size() * sizeof(double));
  write_file_atomically(path, bytes);
}

}  // namespace

ArrayFiles::ArrayFiles(std::filesystem::path bunch, std::filesystem::path potential,
                       std::int64_t every)
    : bunch_(std::move(bunch)), potential_(std::move(potential)), every_(every) {}

std::int64_t ArrayFiles::steps_to_next(std::int64_t step, std::int64_t otherwise) const {
  return every_ > 0 ? every_ - step % every_ : otherwise;
}

bool ArrayFiles::wants(std::int64_t step, bool last) const {
  return last || (every_ > 0 && step % every_ == 0);
}

void ArrayFiles::write(const BunchSnapshot& snapshot) {
  const HostBunch& bunch = snapshot.bunch;
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < bunch.ids.size(); ++p)
    if (bunch.alive[p] != 0) order.push_back(p);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return bunch.ids[a] < bunch.ids[b]; });
  std::vector<double> rows;
  rows.reserve(7 * order.size());
  for (const std::size_t p : order) {
    rows.insert(rows.end(), bunch.coordinates.begin() + static_cast<std::ptrdiff_t>(6 * p),
                bunch.coordinates.begin() + static_cast<std::ptrdiff_t>(6 * p + 6));
    rows.push_back(static_cast<double>(bunch.ids[p]));
  }
  write_npy(bunch_, {std::ssize(order), 7}, rows);
  if (!snapshot.fields) return;
  const std::int64_t* const nodes = snapshot.fields->grid.nodes;
  write_npy(potential_, {nodes[2], nodes[1], nodes[0]}, snapshot.fields->potential);
}

}  // namespace tessera::pic
