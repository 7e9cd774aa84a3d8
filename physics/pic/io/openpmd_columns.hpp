#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_COLUMNS_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_COLUMNS_HPP

#include "physics/pic/io/openpmd_component.hpp"
#include "physics/pic/io/openpmd_read.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Fills the columns of a bunch from the records of an openPMD species.

namespace tessera::pic {

class OpenPmdColumns {
 public:
  OpenPmdColumns(hdf5::Object species, const OpenPmdQuery& query, BunchFromFile& bunch)
      : records_(std::move(species)), query_(query), bunch_(bunch) {}

  [[nodiscard]] SpeciesRecords& records() { return records_; }
  [[nodiscard]] const hdf5::Object& group() const { return records_.group(); }
  [[nodiscard]] const OpenPmdQuery& query() const { return query_; }
  [[nodiscard]] BunchFromFile& bunch() { return bunch_; }
  [[nodiscard]] std::size_t rows() const { return bunch_.coordinates.size() / 6; }

  /// Adds a line about a record of the species to the warnings.
  void tell(const std::string& line);

  /// Reads the momentum of the reference particle from the file or else the query.
  /// \throws InputError if neither has one.
  void read_reference_momentum();

  /// Reads a component of a record, in SI units. \throws InputError
  void read_column(std::size_t column, const std::string& record, const std::string& component);
  /// Reads a component of the momentum in units of p_ref. \throws InputError
  void read_momentum(std::size_t column, const std::string& component, bool dimensionless = false);
  /// Reads x, px, y, py, z and pz at one time, and adds offsets. \throws InputError
  void read_positions_and_momenta();

  /// Converts the result of read_positions_and_momenta() to coordinates at the plane of the
  /// reference particle.
  /// \param c_times by particle, c (time - that of the reference particle); empty: 0 for all.
  /// \param lost by particle: lost particles are not changed; empty: none is lost.
  /// \throws InputError for a particle whose momentum is not forward.
  void bring_to_plane(const std::vector<double>& c_times, const std::vector<bool>& lost);

 private:
  [[nodiscard]] std::string file_name() const;
  void allocate(const RecordComponent& component);
  /// \param unit of the column, in SI units.
  void fill(std::size_t column, const std::string& record, const std::string& component,
            double unit, const char* words);
  /// Adds `positionOffset` or `momentumOffset` if the record has one.
  void add_offset(std::size_t column, const std::string& record, const std::string& component,
                  double unit);

  SpeciesRecords records_;
  const OpenPmdQuery& query_;
  BunchFromFile& bunch_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_COLUMNS_HPP
