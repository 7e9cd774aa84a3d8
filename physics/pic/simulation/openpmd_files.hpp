#ifndef TESSERA_PHYSICS_PIC_SIMULATION_OPENPMD_FILES_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_OPENPMD_FILES_HPP

#include "core/base/precision.hpp"
#include "physics/pic/io/snapshot.hpp"
#include "physics/pic/simulation/bunch_output.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// \file
/// A bunch and its fields as openPMD files (physics/pic/io/openpmd_write.hpp).

namespace tessera::pic {

struct OpenPmdFilesOptions {
  std::filesystem::path pattern;  ///< with %T a file for each step, else one that is replaced
  std::int64_t every = 0;         ///< so many steps, and behind the last one; 0: there alone
  std::int64_t last_step = 0;     ///< of the run, if nothing ends it before
  bool fields = true;
  Snapshot snapshot = Snapshot::as_it_is;  ///< of the positions (OpenPmdOutput)
  /// What the numbers of a snapshot are exact in: single or double.
  Precision precision = Precision::double_precision;
};

class OpenPmdFiles final : public BunchOutput {
 public:
  /// \throws ArgumentError for a pattern that makes no sense; RefusalError where there is no HDF5.
  explicit OpenPmdFiles(OpenPmdFilesOptions options);

  /// Of a series from behind `first_step` on, that of `first_step` too where it is due; that alone
  /// which is replaced where it is none.
  [[nodiscard]] static std::vector<std::string> names(const OpenPmdFilesOptions& options,
                                                      std::int64_t first_step);

  [[nodiscard]] std::int64_t steps_to_next(std::int64_t step,
                                           std::int64_t otherwise) const override;
  /// A run that is ended early replaces its file, but adds none to a series.
  [[nodiscard]] bool wants(std::int64_t step, bool last) const override;
  void write(const BunchSnapshot& snapshot) override;

 private:
  template <class Storage>
  void write_as(const BunchSnapshot& snapshot) const;

  OpenPmdFilesOptions options_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_OPENPMD_FILES_HPP
