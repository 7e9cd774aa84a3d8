#include "physics/reduction/sum/sum_groups.hpp"

#include <algorithm>

namespace tessera::reduction {
namespace {

/// The columns of a term that are not in `columns`.
std::vector<std::int16_t> missing(const std::vector<std::int16_t>& columns, const SumTerm& term) {
  std::vector<std::int16_t> lacks;
  for (const std::int16_t column : {term.a, term.b})
    if (column >= 0 && std::find(columns.begin(), columns.end(), column) == columns.end() &&
        std::find(lacks.begin(), lacks.end(), column) == lacks.end())
      lacks.push_back(column);
  return lacks;
}

std::int16_t place(const std::vector<std::int16_t>& columns, std::int16_t column) {
  if (column < 0) return -1;
  return static_cast<std::int16_t>(std::find(columns.begin(), columns.end(), column) -
                                   columns.begin());
}

int compiled_columns(std::size_t columns) {
  return columns <= 1 ? static_cast<int>(columns) : columns <= 3 ? 3 : most_columns;
}

}  // namespace

std::vector<SumGroup> sum_groups(const SumTerms& terms) {
  std::vector<SumGroup> groups;
  std::vector<bool> done(static_cast<std::size_t>(terms.count));
  for (int first = 0; first < terms.count; ++first) {
    if (done[static_cast<std::size_t>(first)]) continue;
    std::vector<std::int16_t> columns;
    SumGroup group;
    for (int t = first; t < terms.count; ++t) {
      if (done[static_cast<std::size_t>(t)]) continue;
      const SumTerm& term = terms.term[t];
      const std::vector<std::int16_t> more = missing(columns, term);
      if (columns.size() + more.size() > most_columns) continue;
      columns.insert(columns.end(), more.begin(), more.end());
      group.products = group.products || (term.a >= 0 && term.b >= 0);
      group.term[group.terms] = static_cast<std::int16_t>(t);
      group.local[group.terms] = {place(columns, term.a), place(columns, term.b)};
      ++group.terms;
      done[static_cast<std::size_t>(t)] = true;
    }
    group.columns = compiled_columns(columns.size());
    for (int c = 0; c < most_columns; ++c)
      group.column[c] =
          columns.empty()
              ? 0
              : columns[static_cast<std::size_t>(c) < columns.size() ? static_cast<std::size_t>(c)
                                                                     : 0];
    groups.push_back(group);
  }
  return groups;
}

const std::vector<SumGroup>& SumGroupsOf::of(const SumTerms& terms) {
  const auto same = [](const SumTerm& x, const SumTerm& y) { return x.a == y.a && x.b == y.b; };
  if (!known_ || terms.count != terms_.count ||
      !std::equal(terms.term, terms.term + terms.count, terms_.term, same)) {
    groups_ = sum_groups(terms);
    terms_ = terms;
    known_ = true;
  }
  return groups_;
}

}  // namespace tessera::reduction
