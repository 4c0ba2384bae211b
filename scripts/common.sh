# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the scripts share: packages, configuring, building, logs. Sourced, not run.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
llvm=${TILE_LLVM_DIR:-/usr/lib/llvm-22}
version=$(sed -n 's/^project(tile VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")

# What Debian 12 needs on top of a bare installation. clang-22 and its family
# are in bookworm-security. xz-utils is for scripts/bundle.
packages=(
  g++ clang-22 lld-22 cmake ninja-build ccache python3 xz-utils
  libmlir-22-dev mlir-22-tools llvm-22-dev
  libgtest-dev nlohmann-json3-dev zlib1g-dev libzstd-dev)

say() { printf '%s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Seconds as "42 s" or "3 min 5 s".
duration() {
  if (($1 < 60)); then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

ticker=
stop_ticker() {
  if [[ -n $ticker ]]; then
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    ticker=
  fi
}
trap stop_ticker EXIT

# Says every half minute how far ninja's log is. Sleeps by the second and apart
# from the script's streams, so that nothing outlives the script for long.
tick() {
  local log=$1 seconds=0 step
  while sleep 1 </dev/null >/dev/null 2>&1; do
    seconds=$((seconds + 1))
    ((seconds % 30)) && continue
    step=$(tail -c 4096 "$log" 2>/dev/null | grep -ao '\[[0-9]*/[0-9]*\]' | tail -n 1 | tr -d '[]' || true)
    say "    $(duration "$seconds")${step:+, step ${step/\// of }}"
  done
}

# run_logged LOG WHAT COMMAND...: runs a command with its output in build/LOG.
# On failure prints the end of the log, says where all of it is, and returns the
# command's code.
run_logged() {
  local log=$build/$1 what=$2 begin=$SECONDS code=0
  shift 2
  mkdir -p "$build"
  say "==> $what"
  tick "$log" &
  ticker=$!
  "$@" >"$log" 2>&1 </dev/null || code=$?
  stop_ticker
  if ((code == 0)); then
    say "    done in $(duration $((SECONDS - begin)))"
    return 0
  fi
  # Ninja prints a whole command line, and "FAILED:" with the outputs after it.
  if grep -q '^FAILED:' "$log"; then
    sed -n '/^FAILED:/,$p' "$log" | grep -v '^\[[0-9]*/[0-9]*\]' | cut -c1-300 | head -n 40 >&2
  else
    tail -n 30 "$log" | cut -c1-300 >&2
  fi
  printf 'error: %s ended with code %d; all of its output is in %s\n' \
    "$what" "$code" "$log" >&2
  return "$code"
}

# Installs what is missing of the packages above, with sudo when not root.
install_packages() {
  local missing=() package as_root=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    [[ -x $llvm/bin/clang++ && -d $llvm/lib/cmake/mlir ]] && return 0
    die "this system has no apt: install what Debian 12 calls ${packages[*]} by hand, and set TILE_LLVM_DIR to the prefix of LLVM and MLIR 22"
  fi
  for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "neither root nor sudo is at hand: ask an administrator for apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "    missing: ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=300)
  # sudo asks for a password on the terminal before output goes to a log.
  ((EUID == 0)) || sudo -v
  run_logged apt-update.log "Updating the package lists" "${apt[@]}" update
  run_logged apt-install.log "Installing packages" \
    "${apt[@]}" install --no-install-recommends "${missing[@]}" || {
    [[ -n $(apt-cache policy clang-22 2>/dev/null) ]] ||
      die "apt does not know clang-22: it is in bookworm-security, which has to be among apt's sources"
    exit 1
  }
}

# Configures build/ when it has not been, with Debian's clang-22 and lld-22. Later
# changes of a CMakeLists.txt are ninja's business.
configure() {
  local cache=$build/CMakeCache.txt
  # A tree that was moved or copied cannot go on with its old configuration.
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm -rf "$cache" "$build/CMakeFiles" "$build/build.ninja"
  fi
  [[ -f $build/build.ninja && -f $cache ]] && return 0
  run_logged configure.log "Configuring $build" \
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$llvm/bin/clang" -DCMAKE_CXX_COMPILER="$llvm/bin/clang++" \
    -DLLVM_USE_LINKER=lld -DTILE_LLVM_DIR="$llvm"
}

# build_targets WHAT TARGET...
build_targets() {
  local what=$1
  shift
  run_logged build.log "$what" cmake --build "$build" --target "$@"
}

set_up() {
  say "==> Checking packages"
  install_packages
  configure
}
