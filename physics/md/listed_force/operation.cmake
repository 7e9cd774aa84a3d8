tessera_operation(
  TAG ListedForce
  SUMMARY "forces of listed terms of two to four atoms: bonds, angles, dihedrals, impropers"
  PRECISIONS double mixed single)
