#include "core/base/random.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/apps/tessera/case/md_case.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

/// \file
/// The text that a run records as its effective case reads back to an equal case, and is the
/// effective case of itself.

namespace tessera::app {
namespace {

/// Writes random valid cases.
class RandomCase {
 public:
  explicit RandomCase(unsigned seed) : random_(seed) {}

  std::string text() {
    line("title", word());
    maybe("units", pick({"lj", "real", "metal"}));
    maybe("precision", pick({"double", "mixed", "single"}));
    system();
    if (coin()) {
      header("velocities");
      line("temperature", number());
      maybe("seed", whole(0));
    }
    header("pair");
    line("cutoff", number());
    maybe("mixing", pick({"geometric", "arithmetic", "sixthpower"}));
    maybe("shift", flag());
    for (int i = 0; i < below(4); ++i) {
      out_ += "[[pair.coefficients]]\n";
      line("types", "[" + (coin() ? whole(1) : word()) + ", " + (coin() ? whole(1) : word()) + "]");
      line("epsilon", number());
      line("sigma", number());
      maybe("cutoff", number());
    }
    if (coin()) groups();
    header("neighbor");
    maybe("skin", number());
    if (coin()) out_ += "rebuild = \"every\"\nevery = " + whole(1) + "\n";
    header("run");
    line("steps", whole(0));
    maybe("time_step", number());
    for (const char* section : {"thermo", "trajectory", "restart"}) {
      if (coin()) continue;
      header(section);
      maybe("every", whole(0));
      maybe("file", word());
      if (std::string(section) != "trajectory") continue;
      maybe("velocities", flag());
      maybe("forces", flag());
      if (coin()) line("columns", "[" + word() + ", " + word() + "]");
    }
    if (coin()) {
      header("selection");
      line(word(), word());
    }
    if (coin()) {
      header("parameters." + word());
      line(word(), coin() ? number() : coin() ? whole(0) : coin() ? flag() : word());
    }
    return out_;
  }

 private:
  int below(int n) { return static_cast<int>(random_.below(n)); }
  bool coin() { return below(2) == 0; }
  std::string pick(const std::vector<std::string>& names) {
    return cases::in_quotes(names[static_cast<std::size_t>(below(static_cast<int>(names.size())))]);
  }
  /// A positive number of any magnitude, with all bits random.
  std::string number() {
    const double fraction = 1 + random_.uniform();
    return cases::text_of(std::ldexp(fraction, below(600) - 300));
  }
  std::string whole(int lowest) { return std::to_string(lowest + below(1 << (1 + below(30)))); }
  std::string flag() { return coin() ? "true" : "false"; }
  std::string word() {
    static const std::string letters = "aZ09_-./+ \"\\\t\x01\x7f=[]#'\xc3\xa4";
    std::string text(1, 'w');
    for (int i = below(12); i > 0; --i) {
      const int at = below(static_cast<int>(letters.size()) - 1);
      // The last two bytes are one character.
      text += at + 2 == static_cast<int>(letters.size())
                  ? letters.substr(letters.size() - 2)
                  : letters.substr(static_cast<std::size_t>(at), 1);
    }
    return cases::in_quotes(text);
  }

  void header(const std::string& name) { out_ += "[" + name + "]\n"; }
  void line(const std::string& key, const std::string& value) {
    out_ += key + " = " + value + "\n";
  }
  void maybe(const std::string& key, const std::string& value) {
    if (coin()) line(key, value);
  }

  void groups() {
    const auto reference = [&] { return coin() ? whole(1) : word(); };
    const auto pair = [&] { return "[" + reference() + ", " + reference() + "]"; };
    header("groups");
    maybe("frozen", "[" + reference() + "]");
    maybe("excluded", "[" + pair() + ", " + pair() + "]");
    maybe("energies", "[" + pair() + "]");
    for (int i = 0; i < below(3); ++i) {
      out_ += "[[groups.group]]\n";
      line("name", "\"g" + std::to_string(i) + "\"");
      maybe("types", "[" + reference() + "]");
      const std::string first = whole(-5);
      line("ids", "[" + first + ", \"3:7\", \"-4:" + whole(5) + ":" + whole(1) + "\"]");
    }
  }

  void system() {
    header("system");
    if (coin()) line("periodic", "[" + flag() + ", " + flag() + ", " + flag() + "]");
    switch (below(4)) {
      case 0:
        line("restart", word());
        return;
      case 1:
        line("file", word());
        line("format", "\"lammps-data\"");
        maybe("atom_style", pick({"atomic", "charge", "bond", "angle", "molecular", "full"}));
        if (coin()) out_ += "[[system.type]]\nname = \"1\"\nmass = " + number() + "\n";
        return;
      case 2:
        line("file", word());
        line("format", "\"extxyz\"");
        maybe("frame", std::to_string(below(5) - 1));
        break;
      default:
        line("lattice", "\"bcc\"");
        line(coin() ? "density" : "lattice_constant", number());
        line("cells", "[" + whole(1) + ", " + whole(1) + ", " + whole(1) + "]");
        maybe("jitter", number());
        maybe("jitter_seed", whole(0));
        if (coin()) return;
        line("site_types", "[\"B\", \"A\"]");
    }
    out_ += "[[system.type]]\nname = \"A\"\n";
    maybe("mass", number());
    out_ += "[[system.type]]\nname = \"B\"\n";
  }

  RandomSequence random_;
  std::string out_;
};

}  // namespace

TEST_CASE("a random case and its effective form are the same") {
  const test::TemporaryDirectory directory;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string text = RandomCase(seed).text();
    INFO(text);
    const cases::Case c = read_case(directory.write("case.toml", text));
    const std::string effective = effective_toml(c);
    INFO(effective);
    const cases::Case again = read_case(directory.write("effective.toml", effective));
    REQUIRE(again == c);
    REQUIRE(effective_toml(again) == effective);
  }
}

TEST_CASE("cases that differ in one value are not equal") {
  const test::TemporaryDirectory directory;
  const auto file = directory.write("case.toml", RandomCase(7).text());
  const cases::Case c = read_case(file);
  for (const char* change :
       {"title=other", "run.steps=987654321", "pair.cutoff=12345.0", "thermo.file=x",
        "neighbor.skin=0.125", "selection.a=b", "parameters.a.b=1"}) {
    INFO(change);
    CHECK_FALSE(read_case(file, {change}) == c);
  }
}

}  // namespace tessera::app
