#include "physics/pic/case/bunch_section.hpp"

namespace tessera::pic {
namespace {

using cases::TableView;

bool is_generated(const BunchSection& s) {
  return s.restart.empty() && s.file.empty();
}
bool is_openpmd(const BunchSection& s) {
  return s.file.text.ends_with(".h5");
}
template <MomentSource... sources>
bool moments_from(const BunchSection& s) {
  return is_generated(s) && s.moments && ((*s.moments == sources) || ...);
}
/// Whether moments may come from one of `sources`; true if `moments` is missing, which another
/// check reports.
template <MomentSource... sources>
bool may_have_moments_from(const BunchSection& s) {
  return !s.moments || moments_from<sources...>(s) || !is_generated(s);
}

const cases::Rule<BunchSection> of_openpmd = {is_openpmd,
                                              "expected only with a file that ends in .h5"};
const cases::Rule<BunchSection> of_planes = {
    may_have_moments_from<MomentSource::matched, MomentSource::twiss>,
    "expected only with moments = \"matched\" or \"twiss\""};
const cases::Rule<BunchSection> of_twiss = {may_have_moments_from<MomentSource::twiss>,
                                            "expected only with moments = \"twiss\""};
const cases::Rule<BunchSection> needs_planes = {
    moments_from<MomentSource::matched, MomentSource::twiss>,
    "required with `\"matched\"` and `\"twiss\"`"};
const cases::Rule<BunchSection> needs_twiss = {moments_from<MomentSource::twiss>,
                                               "required with `\"twiss\"`"};

void check_covariance(const BunchSection& s, const TableView& table) {
  if (s.covariance.empty()) return;
  if (s.covariance.size() != 36)
    throw table.error("covariance", "there are " + std::to_string(s.covariance.size()) +
                                        " numbers, expected 36, row after row");
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (s.covariance[6 * a + b] != s.covariance[6 * b + a])
        throw table.error("covariance",
                          "row " + std::to_string(a + 1) + ", column " + std::to_string(b + 1) +
                              " differs from the transposed element, expected a symmetric matrix");
}

/// Clears the keys that the contents of a file replace.
void complete_bunch(BunchSection& s, const cases::Case&) {
  if (is_generated(s)) return;
  BunchSection read;
  read.restart = s.restart;
  if (s.restart.empty()) {
    read.file = s.file;
    read.iteration = s.iteration;
    read.species = s.species;
    read.place = s.place;
    read.time = s.time;
    read.snapshot = s.snapshot;
  }
  read.origin = s.origin;
  s = read;
}

}  // namespace

cases::Section<BunchSection> BunchSection::section() {
  using namespace cases;
  const auto emittance = [](std::string name, std::string meaning) {
    return Options<BunchSection>{.name = std::move(name),
                                 .unit = "m",
                                 .range = not_negative,
                                 .meaning = std::move(meaning),
                                 .needed = needs_planes,
                                 .only = {of_planes}};
  };
  const auto beta = [](std::string name) {
    return Options<BunchSection>{.name = std::move(name),
                                 .unit = "m",
                                 .range = positive,
                                 .meaning = "optical function at the start of the line",
                                 .needed = needs_twiss,
                                 .only = {of_twiss}};
  };
  return {
      .name = "bunch",
      .after = "beam",
      .presence = Presence::required,
      .meaning = "macro-particles to start with",
      .rows =
          {{field(&BunchSection::restart,
                  {.name = "restart",
                   .fallback = "none",
                   .meaning = "restart file of an earlier run; its bunch and position replace the "
                              "other keys of this table"}),
            field(&BunchSection::file,
                  {.name = "file",
                   .fallback = "none",
                   .meaning = "file of the bunch, which replaces the other keys of this table: "
                              "openPMD in HDF5 (.h5, with %T a series), else a table of "
                              "comma-separated values (physics/pic/io)"}),
            field(&BunchSection::iteration, {.name = "iteration",
                                             .range = not_negative,
                                             .fallback = "the only one of `file`",
                                             .meaning = "iteration of an openPMD file or series",
                                             .only = {of_openpmd}}),
            field(&BunchSection::species, {.name = "species",
                                           .fallback = "the only one of `file`",
                                           .meaning = "species of an openPMD file",
                                           .only = {of_openpmd}}),
            field(
                &BunchSection::place,
                {.name = "place",
                 .unit = "m",
                 .meaning = "z in an openPMD file of another code of the plane that the reference "
                            "particle passes at the time of the file",
                 .only = {of_openpmd}}),
            field(&BunchSection::time,
                  {.name = "time",
                   .unit = "s",
                   .fallback = "`timeOffset` of the file, else 0",
                   .meaning = "time at which the reference particle passes that plane, in a file "
                              "of the extension "
                              "BeamPhysics, whose particles have times of their own",
                   .only = {of_openpmd}}),
            choice(&BunchSection::snapshot, {Snapshot::drift, Snapshot::as_it_is},
                   {.name = "snapshot",
                    .meaning = "particles that an openPMD file of another code has at one time "
                               "drift to that plane, each on a straight path; `\"as it is\"`: x "
                               "and y stay, as if all particles were there",
                    .only = {of_openpmd}}),
            choice(&BunchSection::kind,
                   {BunchKind::gaussian, BunchKind::waterbag, BunchKind::uniform, BunchKind::kv,
                    BunchKind::kurth4, BunchKind::kurth6},
                   {.name = "kind",
                    .meaning = "distribution (physics/pic/generate/bunch.hpp). kv and kurth4 are "
                               "uniform along the beam"}),
            field(&BunchSection::particles,
                  {.name = "particles",
                   .range = at_least(1),
                   .meaning = "macro-particles",
                   .needed = {is_generated, "required without `restart` or `file`"}}),
            field(&BunchSection::seed,
                  {.name = "seed",
                   .meaning = "the same seed gives the same bunch, whatever the backend and the "
                              "number of threads"}),
            field(&BunchSection::cutoff,
                  {.name = "cutoff",
                   .unit = "deviations",
                   .range = not_negative,
                   .meaning = "cut of a Gaussian, beyond which no coordinate is; 0: no cut"}),
            field(&BunchSection::match_moments,
                  {.name = "match_moments",
                   .meaning = "whether the macro-particles themselves have the moments, to "
                              "rounding, and not only their distribution"}),
            field(&BunchSection::mean,
                  {.name = "mean",
                   .unit = "m, 1",
                   .meaning = "means of x, px/p, y, py/p, c times the delay, (p - p_ref)/p_ref"}),
            choice(&BunchSection::moments,
                   {MomentSource::matched, MomentSource::twiss, MomentSource::deviations,
                    MomentSource::covariance},
                   {.name = "moments",
                    .fallback = "required without `restart` or `file`",
                    .meaning = "source of the second moments. `\"matched\"`: emittances, and the "
                               "optics that are periodic over a turn without space charge, of a "
                               "line without coupling. "
                               "`\"twiss\"`: emittances and optics. Else six deviations, or all "
                               "moments",
                    .needed = {is_generated, ""}}),
            field(&BunchSection::emittance_x,
                  emittance("emittance_x", "rms emittance, pi not included")),
            field(&BunchSection::emittance_y,
                  emittance("emittance_y", "rms emittance in y, pi not included")),
            field(&BunchSection::normalised, {.name = "normalised",
                                              .meaning = "whether the emittances are normalised: "
                                                         "beta gamma times those of x and px/p_ref",
                                              .only = {of_planes}}),
            field(&BunchSection::beta_x, beta("beta_x")),
            field(&BunchSection::beta_y, beta("beta_y")),
            field(&BunchSection::alpha_x, {.name = "alpha_x",
                                           .meaning = "optical function at the start of the line",
                                           .only = {of_twiss}}),
            field(&BunchSection::alpha_y, {.name = "alpha_y",
                                           .meaning = "optical function at the start of the line",
                                           .only = {of_twiss}}),
            field(&BunchSection::deviation_cdt, {.name = "deviation_cdt",
                                                 .unit = "m",
                                                 .range = not_negative,
                                                 .fallback = "required without `length`",
                                                 .meaning = "rms of c times the delay of particles",
                                                 .missing = "deviation_cdt or length of the bunch",
                                                 .needed = {[](const BunchSection& s) {
                                                              return needs_planes.holds(s) &&
                                                                     !s.length;
                                                            },
                                                            ""},
                                                 .only = {of_planes}}),
            field(&BunchSection::length,
                  {.name = "length",
                   .unit = "m",
                   .range = positive,
                   .fallback = "none",
                   .meaning = "total length of a bunch that is uniform along the beam, in place of "
                              "`deviation_cdt`",
                   .only = {of_planes,
                            {[](const BunchSection& s) { return !s.deviation_cdt; },
                             "expected either deviation_cdt or length, not both"}}}),
            field(&BunchSection::deviation_dpop, {.name = "deviation_dpop",
                                                  .range = not_negative,
                                                  .meaning = "rms of (p - p_ref)/p_ref",
                                                  .only = {of_planes}}),
            field(&BunchSection::deviations,
                  {.name = "deviations",
                   .unit = "m, 1",
                   .range = not_negative,
                   .meaning = "of the six coordinates, which are not correlated",
                   .needed = {moments_from<MomentSource::deviations>,
                              "required with `\"deviations\"`"},
                   .only = {{may_have_moments_from<MomentSource::deviations>,
                             "expected only with moments = \"deviations\""}}}),
            field(&BunchSection::covariance,
                  {.name = "covariance",
                   .type = "36 numbers",
                   .unit = "products",
                   .meaning = "second moments of the six coordinates, row after row",
                   .needed = {moments_from<MomentSource::covariance>,
                              "required with `\"covariance\"`"},
                   .only = {{may_have_moments_from<MomentSource::covariance>,
                             "expected only with moments = \"covariance\""}}})},
           {check_covariance}},
      .complete = complete_bunch};
}

}  // namespace tessera::pic
