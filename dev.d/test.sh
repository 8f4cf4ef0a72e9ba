# shellcheck shell=bash
# ./dev test: all checks, on servers of the stack `test`.

# The steps of ./dev test in their order: a function, then a title for the output. To add a check, write a function and
# add a line here. A step fails when its function fails (set -e). The servers run; steps after build_everything find
# all binaries in $target/debug.
TEST_STEPS=(
  check_format          "cargo fmt --check"
  check_shell_scripts   "shellcheck"
  check_layout          "no import circles, no file over 300 lines"
  check_mutations       "the mutations apply to the sources"
  check_lints           "cargo clippy, and the queries against the migrated database"
  check_rustdoc         "cargo doc without warnings"
  build_everything      "cargo build of everything that the tests need"
  test_clients          "the clients"
  test_pages_and_drill  "the pages of the site in Chromium, and beside them a short drill of invalid input"
  check_documents       "the commands of README and TUTORIAL"
  fuzz_and_drill        "schemathesis and a short measurement, and beside them a short drill"
  run_rust_tests        "cargo test"
)

run_all_checks() {
  local step
  if [[ ! -d $target/debug ]]; then require_disk 12; fi
  require_test_tools
  for ((step = 0; step < ${#TEST_STEPS[@]}; step += 2)); do
    say "${TEST_STEPS[step + 1]}"
    "${TEST_STEPS[step]}"
  done
  printf '\n'
  grep '^test result' "$dir/cargo-test.log"
  say "all checks have passed"
}

require_test_tools() {
  if ! cargo clippy --version >/dev/null 2>&1 || ! cargo fmt --version >/dev/null 2>&1; then
    say "adding clippy and rustfmt to the Rust toolchain"
    rustup component add clippy rustfmt || die "This Rust toolchain has no clippy or rustfmt. Install them, then run this command again."
  fi
  require_node
  start_test_servers python3-venv "runs schemathesis" python3 -c 'import ensurepip, venv'
  install_missing shellcheck "checks shell scripts" command -v shellcheck
  install_missing chromium "opens the pages" command -v chromium
  install_missing patch "applies the mutations" command -v patch
}

start_test_servers() { # start_test_servers [PACKAGE PURPOSE CHECK…]
  lock_stack test
  install_missing "$@"
  require_disk 4 # for the data of the servers
  if [[ ! -f $dir/keep ]]; then
    stop_stack # processes of a killed run
    rm -rf "$dir"
    install -d -m 700 "$dir"
    trap 'report_stopped_servers; stop_stack' EXIT
    trap 'exit 130' INT TERM HUP
  fi
  start_servers
  export GUILDHALL_TEST_DATABASE_URL=${GUILDHALL_DATABASE_URL%/*}/postgres
  export GUILDHALL_TEST_AMQP_URL=$GUILDHALL_AMQP_URL GUILDHALL_TEST_REDIS_URL=$GUILDHALL_REDIS_URL
}

# A server that stopped by itself explains the failed tests.
report_stopped_servers() {
  local name
  for name in postgres rabbitmq redis; do
    if [[ -f $dir/$name.pid ]] && ! is_running "$name"; then
      printf '\n%s\n' "$name has stopped by itself ($(free_disk_gb) GB of disk are free). The end of its log:" "$(tail -n 25 "$dir/$name.log")" >&2
    fi
  done
}

keep_test_servers() {
  start_test_servers
  touch "$dir/keep"
  trap - EXIT
  say "the servers run until ./dev down; .dev/test/env has their addresses"
}

# ---- The steps --------------------------------------------------------------------------------

check_format() { cargo fmt --all --check; }

# The files of dev.d/ and drills/ are checked as parts of ./dev, which sources them.
check_shell_scripts() { shellcheck --external-sources --check-sourced dev clients/sdk deploy/backup dev.d/units-namespace dev.d/npm-packages; }

check_layout() {
  local long_files
  dev.d/import-circles
  long_files=$(find api bench common drills fuzz sandbox tests workers -name target -prune -o -name '*.rs' -exec wc -l {} + |
    awk '$2 != "total" && $1 > 300')
  [[ -z $long_files ]] || die "These files have more than 300 lines. Split them:" "$long_files"
}

check_lints() {
  lint -D warnings
  diff -rqN .sqlx "$dir/sqlx" || die "A query or the schema has changed. Run ./dev sqlx and commit .sqlx/."
}

check_rustdoc() { RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet; }

build_everything() { cargo build --workspace --all-targets --locked; }

# The browser and the drill wait for most of their time.
test_pages_and_drill() {
  local drill
  (run_drill debug abuse --quick --rounds 1 --connections 0) >"$dir/abuse.log" 2>&1 &
  drill=$!
  test_pages_short
  wait "$drill" || die "$(cat "$dir/abuse.log")" "the drill of invalid input has failed."
  tail -n 4 "$dir/abuse.log"
}

test_pages_short() {
  build_web # `check` needs the generated SDK
  web check
  test_pages --short
}

check_documents() {
  start_fresh_site
  docs/check --stack "${dir#"$PWD"/.dev/}"
}

# A drill waits for most of its time. It has a stack of its own: hence the subshell.
fuzz_and_drill() {
  local fuzzer
  fuzz_and_measure &
  fuzzer=$!
  (run_drill debug --short --cells 24 --rate 150)
  wait "$fuzzer" || die "$(tail -n +1 "$dir/fuzz.log" "$dir/bench.log")" "schemathesis or the measurement has failed."
  tail -n 4 "$dir/fuzz.log"
}

# The measurement checks that no command is lost. It does not check the speed, so it can run at the same time as a drill.
fuzz_and_measure() {
  fuzz_api >"$dir/fuzz.log" 2>&1
  run_short_bench >"$dir/bench.log" 2>&1
}

run_short_bench() { (run_bench debug --rounds 1 --seconds 1 --cases guild-view,async,waited-64,waited-1); }

run_rust_tests() { # run_rust_tests [CARGO-TEST-ARGUMENT…]
  local packages=(--workspace)
  if [[ " $* " == *" -p "* || " $* " == *" --package"* ]]; then packages=(); fi
  # The system tests wait for most of their time.
  RUST_TEST_THREADS=$((2 * $(nproc))) cargo test "${packages[@]}" --locked "$@" | tee "$dir/cargo-test.log"
}

# ---- Generated files --------------------------------------------------------------------------

# Clippy with the macros of sqlx connected to a freshly migrated database. It writes to $dir/sqlx what belongs in .sqlx/.
# cargo cannot see that the database has changed. A --cfg with a new name makes it check our crates again.
lint() { # lint CLIPPY-ARGUMENT…
  local file migrations=()
  for file in migrations/*.sql; do migrations+=(-f "$file"); done
  rm -rf "$dir/sqlx"
  mkdir "$dir/sqlx"
  sql postgres -q -c 'drop database if exists sqlx' -c 'create database sqlx'
  sql sqlx -q1 "${migrations[@]}"
  DATABASE_URL=${GUILDHALL_DATABASE_URL%/*}/sqlx SQLX_OFFLINE=false SQLX_OFFLINE_DIR=$dir/sqlx \
    cargo clippy --workspace --all-targets --locked -- "$@" --cfg "checked_$(date +%s%N)"
}

update_sqlx() {
  start_test_servers
  lint --cap-lints=warn
  if diff -rqN .sqlx "$dir/sqlx" >/dev/null; then return; fi
  rm -rf .sqlx
  cp -r "$dir/sqlx" .sqlx
  touch -c {api,common,workers}/src/{lib,main}.rs # cargo does not watch .sqlx
}

update_openapi_document() {
  GUILDHALL_RENEW_DOCUMENT=yes cargo test --quiet --locked -p guildhall-tests --test system -- openapi:: documents::configuration::the_tables
}
