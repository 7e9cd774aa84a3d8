# Functions for scripts, which source this file. `step LABEL COMMAND...` runs a command quietly and prints its time; it
# shows the output of a command that fails, and exits. On a terminal the line of the step shows its progress.

# Rewrites the line of the step twice a second with the last [n/m] of ninja, the elapsed time and the estimated time
# left, until step() kills it or the script ends.
show_progress() {
  local label=$1 log=$2 begin=$SECONDS building=-1 columns seconds at n m text
  read -r _ columns < <(stty size </dev/tty 2>/dev/null) || columns=0
  ((columns > 0)) || columns=80
  while kill -0 $$ 2>/dev/null; do
    seconds=$((SECONDS - begin))
    text="$seconds s"
    at=$(tail -c 4096 "$log" 2>/dev/null | grep -o '^\[[0-9]*/[0-9]*\]' | tail -n 1) || true
    if [ -n "$at" ]; then
      text="$at $text"
      IFS='[/]' read -r _ n m _ <<<"$at"
      ((building >= 0)) || building=$seconds
      if ((n > 0 && n < m && seconds - building >= 5)); then
        text+=", some $(((seconds - building) * (m - n) / n)) s left"
      fi
    fi
    text=$(printf '%-46s %s' "$label ..." "$text")
    printf '\r%s\033[K' "${text:0:$((columns - 1))}"
    sleep 0.5
  done
}

step() {
  local label=$1 log begin=$SECONDS code=0 watcher=
  shift
  log=$(mktemp)
  printf '%-46s ' "$label ..."
  if [ -t 1 ]; then
    show_progress "$label" "$log" &
    watcher=$!
  fi
  "$@" >"$log" 2>&1 </dev/null || code=$?
  if [ -n "$watcher" ]; then
    kill "$watcher" 2>/dev/null || true
    wait "$watcher" 2>/dev/null || true
    printf '\r%-46s \033[K' "$label ..."
  fi
  if ((code == 0)); then
    printf '%s s\n' $((SECONDS - begin))
    rm -f "$log"
  else
    printf 'failed after %s s\n\n' $((SECONDS - begin))
    tail -n 200 "$log" >&2
    echo "$(basename "$0"): '$label' failed with exit code $code: $*" >&2
    rm -f "$log"
    exit "$code"
  fi
}

# configure_clang PRESET [OPTION...]: configures a preset for clang++-19. Starts afresh in a build folder of another
# compiler, because CMake would otherwise lose the settings of the preset.
configure_clang() {
  local preset=$1 cache=build/$1/CMakeCache.txt fresh=()
  shift
  if [ -f "$cache" ] && ! grep -q '^CMAKE_CXX_COMPILER:.*clang++-19$' "$cache"; then fresh=(--fresh); fi
  cmake --preset "$preset" "${fresh[@]}" -DTESSERA_UNITY_BUILD=ON "$@"
}
