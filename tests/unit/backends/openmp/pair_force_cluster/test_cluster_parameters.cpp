#include "backends/openmp/pair_force_cluster/parameters.hpp"
#include "tests/support/candidates.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

namespace tessera::openmp::cluster {
namespace {

std::string refused(const char* name, const ParameterValue& value) {
  return test::message_of([&] { (void)make_parameters<Parameters>({{name, value}}); });
}

TEST_CASE("openmp.cluster: candidates of the default space, and what no problem allows") {
  if (!wide_tune_space) CHECK(test::candidates<Parameters>().size() == 324);
  for (const int clusters : {0, 24, 8192})
    CHECK(refused("chunk_clusters", std::int64_t{clusters}).find("a power of two") !=
          std::string::npos);
  CHECK(make_parameters<Parameters>({{"chunk_clusters", std::int64_t{1}}}).chunk_clusters == 1);
  CHECK(refused("column_width", 0.0).find("a column_width from 0.1 to 10") != std::string::npos);
  CHECK(refused("atoms_ahead", std::int64_t{-1}).find("an atoms_ahead") != std::string::npos);
  CHECK(refused("threads", std::int64_t{-1}).find("threads of 0 or more") != std::string::npos);
}

}  // namespace
}  // namespace tessera::openmp::cluster
