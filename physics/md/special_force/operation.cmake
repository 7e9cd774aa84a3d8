tessera_operation(
  TAG SpecialForce
  SUMMARY "what scaled and excluded pairs of atoms keep of the pair potential"
  PRECISIONS double mixed single
  SWITCH_ROW special_kernel)
