tessera_operation(
  TAG PairForce
  SUMMARY "forces between pairs of atoms within a cutoff, with energy and virial"
  PRECISIONS double mixed single
  FORM_ROWS)
