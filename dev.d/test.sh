# shellcheck shell=bash
# ./dev test: everything that runs the code, on servers of the stack `test`. dev.d/lint.sh reads it.

# The steps of ./dev test in their order: a function, then a title for the output. To add a check, write a function and
# add a line here. A step fails when its function fails (set -e). The servers run; steps after build_everything find
# all binaries in $target/debug.
TEST_STEPS=(
  build_everything      "cargo build of everything that the tests need"
  test_clients          "the clients"
  test_pages_and_drill  "the pages of the site in Chromium, and beside them a short drill of invalid input"
  check_documents       "the commands of README and TUTORIAL"
  fuzz_and_drill        "schemathesis and a short measurement, and beside them a short drill"
  run_rust_tests        "cargo test"
)

run_all_tests() {
  if [[ ! -d $target/debug ]]; then require_disk 12; fi
  require_test_tools
  run_steps "${TEST_STEPS[@]}"
  printf '\n'
  grep '^test result' "$dir/cargo-test.log"
  say "all tests have passed"
}

run_steps() { # run_steps FUNCTION TITLE…
  while (($#)); do
    say "$2"
    "$1"
    shift 2
  done
}

require_test_tools() {
  require_node
  start_test_servers python3-venv "runs schemathesis" python3 -c 'import ensurepip, venv'
  install_missing chromium "opens the pages" command -v chromium
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
