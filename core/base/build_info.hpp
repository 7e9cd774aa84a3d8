#ifndef TESSERA_CORE_BASE_BUILD_INFO_HPP
#define TESSERA_CORE_BASE_BUILD_INFO_HPP

#include <string>
#include <vector>

/// \file
/// Version of the library and a fingerprint of how it was built.

namespace tessera {

struct BuildInfo {
  std::string version;        ///< "0.1.0"
  std::string commit;         ///< short commit, "-dirty" when the tree had changes, or "unknown"
  std::string compiler;       ///< name and version of the host compiler
  std::string cuda_compiler;  ///< version of the CUDA compiler, empty without
  std::string cuda_architectures;
  std::string build_type;
  std::string flags;       ///< architecture flags of the host code
  std::string backends;    ///< "serial;openmp;kokkos"
  std::string kokkos;      ///< version, empty without
  std::string selection;   ///< TESSERA_SELECT
  std::string tune_space;  ///< TESSERA_TUNE_SPACE: "default" or "wide"
};

[[nodiscard]] const BuildInfo& build_info();

/// One entry of the fingerprint for listings, in their order; what a build lacks is empty.
struct BuildFact {
  std::string key;    ///< in JSON
  std::string title;  ///< in a table
  std::string value;
  bool compiled = true;  ///< part of how the code was compiled, not of what is in it
};

[[nodiscard]] std::vector<BuildFact> build_facts();

/// One line that differs whenever a plugin built elsewhere could disagree about layouts: version
/// and digest of the public headers, language standard, pointer size, compiler.
[[nodiscard]] const std::string& abi_fingerprint();

/// "core/base/error.hpp=1a2b3c4d5e6f ...": what the digest is made of, without comments and white
/// space.
[[nodiscard]] const std::string& contract_headers();

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_BUILD_INFO_HPP
