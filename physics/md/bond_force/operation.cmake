tessera_operation(
  TAG BondForce
  SUMMARY "forces between listed pairs of atoms: bonds, what is left of pairs near by them"
  PRECISIONS double mixed single
  SWITCH_ROW special_kernel)
