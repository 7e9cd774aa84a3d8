#include "core/base/error.hpp"
#include "core/operations/registry.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Environment variables of Kokkos with values for which it would abort the process: each must be
/// an error that names the variable, and the backend must open after the value is corrected.

namespace {

int failures = 0;

void check(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::printf("failed: %s\n", what.c_str());
}

/// The message with which the backend refuses to open.
std::string refusal() {
  try {
    static_cast<void>(tessera::registry().open("kokkos").opened().properties());
  } catch (const tessera::InputError& error) {
    return error.what();
  }
  return "nothing";
}

void check_refused(const char* name, const char* value, const std::string& expected) {
  ::setenv(name, value, 1);
  const std::string text = refusal();
  for (const std::string& part : {std::string(name), std::string(value), expected})
    check(text.find(part) != std::string::npos,
          std::string(name) + "=" + value + " is refused with '" + part + "', not: " + text);
  ::unsetenv(name);
}

}  // namespace

int main() {
  if (const std::string reason = tessera::registry().unavailable("kokkos"); !reason.empty()) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  for (const char* value : {"100000", "513", "0", "-2", "many", "", "4x", "99999999999999999999"})
    check_refused("KOKKOS_NUM_THREADS", value, "expected a whole number, 1 to 512");
  for (const char* value : {"-1", "one", "99999999999"})
    check_refused("KOKKOS_DEVICE_ID", value, "expected a whole number, 0 to ");
  for (const char* value : {"-1", "one", "0,,1", "", "0;1", "99999999999"})
    check_refused("KOKKOS_VISIBLE_DEVICES", value, "with commas between them, each 0 to ");
  for (const char* name :
       {"KOKKOS_DISABLE_WARNINGS", "KOKKOS_PRINT_CONFIGURATION", "KOKKOS_TUNE_INTERNALS"})
    for (const char* value : {"2", "maybe", "", "yesno"})
      check_refused(name, value, "expected one of yes, true, 1, no, false, 0");
  for (const char* value : {"rank", "", "mpi_rank,random"})
    check_refused("KOKKOS_MAP_DEVICE_ID_BY", value, "expected one of mpi_rank, random");
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALRANKID", "SLURM_LOCALID"})
    check_refused(name, "first", "expected a whole number, 0 to ");
  for (const char* name : {"KOKKOS_TOOLS_LIBS", "KOKKOS_PROFILE_LIBRARY"})
    check_refused(name, "/nowhere/tool.so", "expected a library that can be loaded");
  ::setenv("KOKKOS_TOOLS_LIBS", "one.so", 1);
  check_refused("KOKKOS_PROFILE_LIBRARY", "other.so", "the same as KOKKOS_TOOLS_LIBS");
  ::unsetenv("KOKKOS_TOOLS_LIBS");
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, const char*>>{{"KOKKOS_NUM_THREADS", " 1 "},
                                                        {"KOKKOS_DEVICE_ID", "0"},
                                                        {"KOKKOS_VISIBLE_DEVICES", "0"},
                                                        {"KOKKOS_DISABLE_WARNINGS", "YES"},
                                                        {"KOKKOS_PRINT_CONFIGURATION", "no"},
                                                        {"KOKKOS_TUNE_INTERNALS", "False"},
                                                        {"KOKKOS_TOOLS_LIBS", ""}})
    ::setenv(name, value, 1);
  const std::string text = refusal();
  check(text == "nothing", "right values are taken, not: " + text);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
