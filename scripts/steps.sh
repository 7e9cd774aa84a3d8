# Sourced by the scripts: runs a step quietly, with its time; a step that fails shows its output.
tessera_steps_start=$SECONDS

step() {
  local label=$1 log begin=$SECONDS
  shift
  log=$(mktemp)
  printf '%-46s ' "$label ..."
  if "$@" >"$log" 2>&1 </dev/null; then
    printf '%s s\n' $((SECONDS - begin))
    rm -f "$log"
  else
    local code=$?
    printf 'failed after %s s\n\n' $((SECONDS - begin))
    tail -n 200 "$log" >&2
    echo "$(basename "$0"): '$label' failed with exit code $code: $*" >&2
    rm -f "$log"
    exit "$code"
  fi
}
