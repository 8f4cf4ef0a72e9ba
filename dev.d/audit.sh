# shellcheck shell=bash
# ./dev audit: checks of the dependencies. It is not part of ./dev test: the tools take minutes to build.

CARGO_MACHETE=0.9.2
CARGO_DENY=0.20.2

audit() {
  local failed=()
  mkdir -p .dev
  install_cargo_tool cargo-machete $CARGO_MACHETE
  install_cargo_tool cargo-deny $CARGO_DENY
  say "cargo machete: unused dependencies"
  cargo machete --skip-target-dir . || failed+=("cargo machete")
  say "cargo deny: duplicates, licenses and sources (deny.toml)"
  cargo deny check bans licenses sources || failed+=("cargo deny")
  ((${#failed[@]} == 0)) || die "Found problems: ${failed[*]}"
}
