tessera_operation(
  TAG PairForce
  SUMMARY "Lennard-Jones forces, energy and virial within a cutoff"
  PRECISIONS double mixed single)
