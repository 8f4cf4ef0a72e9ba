# ./dev test: everything that runs the code, on servers of the stack `test`. dev.d/lint.sh reads it.

# The steps of ./dev test in their order: a function with its arguments, then a title for the output. To add a check, write a
# function and add a line here. A step fails when its function fails (set -e). The servers run, and steps after the build find all
# binaries in $target/debug.
TEST_STEPS=(
  "cargo build --workspace --all-targets --locked" "cargo build of everything that the tests need"
  "start_background run_drills"     "two short drills and a short measurement, beside the next steps"
  "start_background make_clients"   "generation of the clients, beside the next step"
  "test_pages --short"              "the pages of the site in Chromium"
  "finish_background 1 make_clients" "the end of the generation"
  test_clients                      "the clients"
  start_fresh_site                  "a site for the documents"
  check_documents                   "the commands of README and TUTORIAL"
  "start_background fuzz_api"       "schemathesis, beside the next step"
  run_rust_tests                    "cargo test"
  check_refusals                    "the declared refusals that no test has provoked"
  check_database_log                "the log of Postgres, without data of players"
  "finish_background 4 fuzz_api"    "the end of schemathesis"
  "finish_background 40 run_drills" "the end of the drills"
)

dev_test() {
  if [[ ! -d $target/debug ]]; then require_disk 12; fi
  # All packages are installed together: two installations at the same time fail.
  require_node
  require_nginx
  require_package chromium "opens the pages"
  require_package faketime "gives a process a wrong clock" faketime_library
  require_package wrk "sends the reads"
  require_fuzzer
  start_test_servers
  run_steps "${TEST_STEPS[@]}"
  printf '\n'
  grep '^test result' "$dir/cargo-test.log"
  say "all tests have passed"
}

run_steps() { # run_steps FUNCTION TITLE…
  while (($#)); do
    say "$2"
    $1 # each word is an argument
    shift 2
  done
}

start_test_servers() { # installs the packages of $missing, too
  lock_stack test
  install_missing
  require_disk 4 # for the data of the servers
  if [[ ! -f $dir/keep ]]; then
    begin_stack stop_stack
    trap 'stop_background; report_stopped_servers; stop_stack' EXIT
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
      printf '\n%s\n' "$name has stopped by itself ($(free_disk_gb) GB of disk are free). The end of its log:" \
        "$(tail -n 25 "$dir/$name.log")" >&2
    fi
  done
}

dev_servers() {
  start_test_servers
  touch "$dir/keep"
  trap - EXIT
  say "the servers run until ./dev down; ${dir#"$PWD"/}/env has their addresses"
}

dev_cargo-test() { start_test_servers; run_rust_tests "$@"; } # dev_cargo-test [CARGO-TEST-ARGUMENT…]

# Drills wait for most of their time, and have stacks of their own: hence the subshells. The measurement checks that no command
# is lost. It does not check the speed, so other steps can run at the same time.
run_drills() {
  (run_drill debug abuse --quick --rounds 1 --connections 0)
  (run_drill debug --short --cells 24 --rate 60)
  (run_bench debug --rounds 1 --seconds 1 --cases guild-view,async,waited-64,waited-1)
}

run_rust_tests() { # run_rust_tests [CARGO-TEST-ARGUMENT…]
  local packages=(--workspace)
  if [[ " $* " == *" -p "* || " $* " == *" --package"* ]]; then packages=(); fi
  rm -f "$dir/refusals"
  local -x GUILDHALL_TEST_REFUSALS=$dir/refusals
  # The system tests wait for most of their time.
  RUST_TEST_THREADS=$((2 * $(nproc))) cargo test "${packages[@]}" --locked "$@" | tee "$dir/cargo-test.log"
}

dev_vectors() { # dev_vectors --renew | FILE…
  (($#)) || wrong_usage
  require_node
  require_nginx
  require_package chromium "opens the pages"
  start_test_servers
  if [[ $1 == --renew ]]; then
    GUILDHALL_RENEW_VIEWS=yes run_rust_tests --test system -- access::vectors::each_text_field
    return
  fi
  GUILDHALL_TEST_VECTORS=$(realpath -e "$@" | paste -sd:)
  export GUILDHALL_TEST_VECTORS
  run_rust_tests --test system -- --nocapture --test-threads=1 access::vectors
  build_site debug
  start_fresh_pages
  run_in_browser --test --test-reporter=spec vectors.ts
}

# The system tests append each refusal that they provoke to the file. Together they provoke all that commands declare.
check_refusals() { "$target/debug/examples/unprovoked_refusals" "$dir/refusals"; }

# An erasure does not reach this log. So errors of the services write no values, and no refusal of a taken name or address is an error.
check_database_log() {
  local found players='@|[Mm]ira|Tom Ashwood|Night Watch'
  found=$(grep -E '\[guildhall-(api|workers)\]' "$dir/postgres.log" | grep -E "DETAIL:|\"(accounts|guilds)_name_unique\"|$players") || return 0
  die "$found" "The log of Postgres has data of players, or may have it."
}
