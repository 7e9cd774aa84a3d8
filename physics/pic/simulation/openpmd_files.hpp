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
/// Writes a bunch and its fields as openPMD files (physics/pic/io/openpmd_write.hpp).

namespace tessera::pic {

struct OpenPmdFilesOptions {
  /// File name; with %T one file per step, otherwise one file that is replaced.
  std::filesystem::path pattern;
  std::int64_t every = 0;  ///< interval in steps between files, the last of which is after the last
                           ///< step; 0: only that one
  std::int64_t last_step = 0;  ///< last step of the run if nothing ends it earlier
  bool fields = true;
  Snapshot snapshot = Snapshot::as_it_is;  ///< of the positions (OpenPmdOutput)
  /// Precision in which the numbers of a snapshot are exact: single or double.
  Precision precision = Precision::double_precision;
};

class OpenPmdFiles final : public BunchOutput {
 public:
  /// \throws ArgumentError for an invalid pattern; RefusalError without the HDF5 library.
  explicit OpenPmdFiles(OpenPmdFilesOptions options);

  /// Names of the files of a series for steps after `first_step`, and for `first_step` itself if a
  /// file is due then. Without a series the name of the one file that is replaced.
  [[nodiscard]] static std::vector<std::string> names(const OpenPmdFilesOptions& options,
                                                      std::int64_t first_step);

  [[nodiscard]] std::int64_t steps_to_next(std::int64_t step,
                                           std::int64_t otherwise) const override;
  /// Whether a file is due. At an early end of the run the single file is replaced, but no file is
  /// added to a series.
  [[nodiscard]] bool wants(std::int64_t step, bool last) const override;
  void write(const BunchSnapshot& snapshot) override;

 private:
  template <class Storage>
  void write_as(const BunchSnapshot& snapshot) const;

  OpenPmdFilesOptions options_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_OPENPMD_FILES_HPP
