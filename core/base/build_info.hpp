#ifndef TESSERA_CORE_BASE_BUILD_INFO_HPP
#define TESSERA_CORE_BASE_BUILD_INFO_HPP

#include <string>
#include <vector>

/// \file
/// Version of the library and a fingerprint of how it was built.

namespace tessera {

struct BuildInfo {
  std::string version;   ///< "0.1.0"
  std::string commit;    ///< short hash, with "-dirty" appended for a changed tree, or "unknown"
  std::string compiler;  ///< name and version of the host compiler
  std::string cuda_compiler;  ///< version of the CUDA compiler, empty in builds without CUDA
  std::string cuda_architectures;
  std::string build_type;
  std::string flags;       ///< architecture flags of the host code
  std::string backends;    ///< "serial;openmp;kokkos"
  std::string kokkos;      ///< version, empty in builds without Kokkos
  std::string selection;   ///< TESSERA_SELECT
  std::string tune_space;  ///< TESSERA_TUNE_SPACE: "default" or "wide"
};

[[nodiscard]] const BuildInfo& build_info();

/// One entry of the fingerprint. The value is empty where the build lacks it.
struct BuildFact {
  std::string key;    ///< key in JSON
  std::string title;  ///< title in a table
  std::string value;
  bool compiled = true;  ///< false: an entry about the contents of the build
};

/// The entries of the fingerprint, in the order in which listings show them.
[[nodiscard]] std::vector<BuildFact> build_facts();

/// One line that differs between any two builds that could disagree about memory layouts: version
/// and digest of the public headers, language standard, pointer size, compiler.
[[nodiscard]] const std::string& abi_fingerprint();

/// The digest of each public header, "core/base/error.hpp=1a2b3c4d5e6f ..."; abi_fingerprint()
/// contains one digest of all of them. Digests ignore comments and white space.
[[nodiscard]] const std::string& contract_headers();

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_BUILD_INFO_HPP
