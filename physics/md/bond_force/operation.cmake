tessera_operation(
  TAG BondForce
  SUMMARY "forces between listed pairs of atoms: bonds, the field of excluded pairs"
  PRECISIONS double mixed single)
