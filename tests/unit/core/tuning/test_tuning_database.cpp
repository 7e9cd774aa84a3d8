#include "core/base/logging.hpp"
#include "core/tuning/tuning_database.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/core/tuning/sample_record.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tessera {
namespace {

using test::message_of;
using test::sample_record;
using test::TemporaryDirectory;

/// Runs `action` in a separate process, whose exit code is 0 if `action` throws nothing.
template <class Action>
::pid_t in_process(const Action& action) {
  const ::pid_t process = ::fork();
  if (process != 0) return process;
  try {
    action();
    ::_exit(0);
  } catch (...) {
    ::_exit(1);
  }
}

int end_of(::pid_t process) {
  int status = 0;
  ::waitpid(process, &status, 0);
  return status;
}

TEST_CASE("records are there for the next reader, in folders that are made") {
  const TemporaryDirectory folder;
  const TuningDatabase database(folder / "a/b/tuning.json");
  CHECK(database.read().records.empty());
  database.add({sample_record(1000), sample_record(2000)});
  TuningRecord newer = sample_record(1000);
  newer.date = "2027-01-01T00:00:00Z";
  database.add({newer});
  const TuningContents contents = TuningDatabase(database.path()).read();
  REQUIRE(contents.records.size() == 2);
  CHECK(contents.records[0] == sample_record(2000));
  CHECK(contents.records[1] == newer);
  CHECK(contents.complaints.empty());
  CHECK(database.remove([](const TuningRecord& r) { return r.problem.size == 2000; }) == 1);
  CHECK(database.read().records.size() == 1);
}

TEST_CASE("one bad record does not lose the others, and stays in the file") {
  const TemporaryDirectory folder;
  const std::string strange = "{\"operation\":\"md/pair_force\",\"of\":{\"the\":[\"future\",1.5]}}";
  const TuningDatabase database(folder.write(
      "tuning.json",
      "{\"schema\": 1, \"records\": [" + strange + "," + to_json(sample_record()) + ", 7]}"));
  const TuningContents contents = database.read();
  CHECK(contents.records.size() == 1);
  REQUIRE(contents.complaints.size() == 2);
  CHECK(contents.complaints[0].find("tuning.json: records[0].precision: is missing") !=
        std::string::npos);
  CHECK(contents.complaints[1].find("records[2]: expected an object") != std::string::npos);
  database.add({sample_record(5)});
  CHECK(folder.read("tuning.json").find(strange) != std::string::npos);
  CHECK(database.read().records.size() == 2);
}

TEST_CASE("a damaged file is set aside and never overwritten") {
  const TemporaryDirectory folder;
  set_log_level(LogLevel::off);
  const std::vector<std::string> damaged{"",
                                         "{\"schema\": 1, \"records\": [",
                                         "[1]",
                                         "{\"records\": []}",
                                         "{\"schema\": 1}",
                                         std::string(100000, '[')};
  for (std::size_t n = 0; n < damaged.size(); ++n) {
    const TuningDatabase database(folder.write("tuning.json", damaged[n]));
    CHECK(message_of([&] { static_cast<void>(database.read()); }).find("damaged") !=
          std::string::npos);
    database.add({sample_record()});
    CHECK(folder.read("tuning.json.damaged-" + std::to_string(n + 1)) == damaged[n]);
    CHECK(database.read().records.size() == 1);
  }
  set_log_level(LogLevel::warning);
}

TEST_CASE("a file of a later program is neither read nor written") {
  const TemporaryDirectory folder;
  const std::string text = "{\"schema\": 2, \"records\": {}}";
  const TuningDatabase database(folder.write("tuning.json", text));
  for (const auto& action : std::vector<std::function<void()>>{
           [&] { static_cast<void>(database.read()); }, [&] { database.add({sample_record()}); },
           [&] { static_cast<void>(database.remove([](const auto&) { return true; })); }}) {
    const std::string message = message_of(action);
    CHECK(message.find("tuning.json: schema = 2: expected 1") != std::string::npos);
    CHECK(message.find("later program") != std::string::npos);
  }
  CHECK(folder.read("tuning.json") == text);
}

TEST_CASE("what is no file, or in no folder that can be made, is a FileError") {
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder / "tuning.json");
  CHECK_THROWS_AS(TuningDatabase(folder / "tuning.json").add({sample_record()}), FileError);
  CHECK_THROWS_AS(static_cast<void>(TuningDatabase(folder / "tuning.json").read()), InputError);
  folder.write("plain", "");
  CHECK_THROWS_AS(TuningDatabase(folder / "plain/tuning.json").add({sample_record()}), FileError);
}

TEST_CASE("nothing is lost in a folder without permission to write or read") {
  if (::geteuid() == 0) return;  // root may access all files; tests/cli tests other users
  const TemporaryDirectory folder;
  const TuningDatabase database(folder / "tuning.json");
  database.add({sample_record()});
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0500));
  CHECK_THROWS_AS(database.add({sample_record(1)}), FileError);
  CHECK(database.read().records.size() == 1);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
  std::filesystem::permissions(database.path(), std::filesystem::perms(0));
  CHECK_THROWS_AS(database.add({sample_record(1)}), FileError);
  CHECK_THROWS_AS(static_cast<void>(database.read()), InputError);
}

TEST_CASE("a link to the database stays a link") {
  const TemporaryDirectory folder;
  TuningDatabase(folder / "real.json").add({sample_record(1)});
  std::filesystem::create_symlink(folder / "real.json", folder / "tuning.json");
  TuningDatabase(folder / "tuning.json").add({sample_record(2)});
  CHECK(std::filesystem::is_symlink(folder / "tuning.json"));
  CHECK(TuningDatabase(folder / "real.json").read().records.size() == 2);
}

// Adds fewer records with sanitizers, because each addition reads all records, which is ten times
// slower then.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr int records_each = 40;
#else
constexpr int records_each = 200;
#endif
#else
constexpr int records_each = 200;
#endif

TEST_CASE("two processes that write at once lose nothing") {
  const TemporaryDirectory folder;
  const TuningDatabase database(folder / "tuning.json");
  constexpr int each = records_each;
  std::vector<::pid_t> writers;
  for (int writer = 0; writer < 2; ++writer)
    writers.push_back(in_process([&] {
      for (int n = 0; n < each; ++n)
        database.add({sample_record(1 + writer * each + n)});
    }));
  for (const ::pid_t writer : writers)
    CHECK(end_of(writer) == 0);
  const TuningContents contents = database.read();
  CHECK(contents.complaints.empty());
  std::vector<bool> there(2 * each);
  for (const TuningRecord& record : contents.records)
    there[static_cast<std::size_t>(record.problem.size - 1)] = true;
  CHECK(contents.records.size() == there.size());
  CHECK(std::count(there.begin(), there.end(), true) == 2 * each);
}

TEST_CASE("a writer that is killed leaves a whole file with all that was there") {
  const TemporaryDirectory folder;
  const TuningDatabase database(folder / "tuning.json");
  std::vector<TuningRecord> many;
  for (int n = 0; n < 100; ++n)
    many.push_back(sample_record(1000000 + n));
  database.add(many);
  std::size_t least = many.size();
  for (int kill = 0; kill < 40; ++kill) {
    int ends[2] = {};
    REQUIRE(::pipe(ends) == 0);
    const ::pid_t writer = in_process([&] {
      for (std::int64_t n = 0;; ++n) {
        database.add({sample_record(1 + kill * 1000 + n)});
        if (::write(ends[1], "x", 1) != 1) return;  // reports that the record has been added
      }
    });
    ::close(ends[1]);
    ::usleep(static_cast<::useconds_t>(2000 + 517 * kill % 9000));
    ::kill(writer, SIGKILL);
    CHECK(WIFSIGNALED(end_of(writer)));
    std::size_t done = 0;
    char byte = 0;
    while (::read(ends[0], &byte, 1) == 1)
      ++done;
    ::close(ends[0]);
    const TuningContents contents = database.read();
    CHECK(contents.complaints.empty());
    CHECK(contents.records.size() >= least + done);
    least = contents.records.size();
  }
  // The lock ended with its holder, and the next writer removes partly written files.
  database.add({sample_record(7)});
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    CHECK(entry.path().extension() != ".part");
}

TEST_CASE("a disk that is full is a FileError, and nothing earlier is lost") {
  const TemporaryDirectory folder;
  const TuningDatabase database(folder / "tuning.json");
  database.add({sample_record(1)});
  const std::string before = folder.read("tuning.json");
  // A limit on the size of files acts like a full disk: it stops a write in the middle.
  const int status = end_of(in_process([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const ::rlimit limit{before.size() + 10, before.size() + 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      database.add({sample_record(2)});
    } catch (const FileError& error) {
      ::_exit(std::string(error.what()).find("writing") != std::string::npos ? 7 : 8);
    }
  }));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(folder.read("tuning.json") == before);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    CHECK(entry.path().extension() != ".part");
}

/// Sets an environment variable, and restores it on destruction.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Environment() { set(before_ ? before_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) const {
    if (value == nullptr)
      ::unsetenv(name_);
    else
      ::setenv(name_, value, 1);
  }
  const char* name_;
  std::optional<std::string> before_;
};

TEST_CASE("the database is where the user says, else in the folder of the user's data") {
  const Environment home("HOME", "/home/somebody");
  const Environment data("XDG_DATA_HOME", nullptr);
  const auto at = [](const char* value) {
    const Environment given("TESSERA_TUNING", value);
    return tuning_location();
  };
  CHECK(at("some/file.json").path == "some/file.json");
  CHECK_FALSE(at("off").path);
  CHECK(at("off").reason == "TESSERA_TUNING is off");
  CHECK(at(nullptr).path == "/home/somebody/.local/share/tessera/tuning.json");
  const Environment other("XDG_DATA_HOME", "/data");
  CHECK(at("").path == "/data/tessera/tuning.json");
  const Environment relative("XDG_DATA_HOME", "data");
  CHECK(at("").path == "/home/somebody/.local/share/tessera/tuning.json");
  const Environment nowhere("HOME", nullptr);
  CHECK_FALSE(at("").path);
  CHECK(at("").reason.find("HOME") != std::string::npos);
}

}  // namespace
}  // namespace tessera
