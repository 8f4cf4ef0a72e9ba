# shellcheck shell=bash
# ./dev test: everything that runs the code, on servers of the stack `test`. dev.d/lint.sh reads it.

# The steps of ./dev test in their order: a function, then a title for the output. To add a check, write a function and
# add a line here. A step fails when its function fails (set -e). The servers run; steps after build_everything find
# all binaries in $target/debug.
TEST_STEPS=(
  build_everything      "cargo build of everything that the tests need"
  start_drills          "two short drills and a short measurement, beside the next steps"
  test_clients          "the clients"
  test_pages_short      "the pages of the site in Chromium"
  check_documents       "the commands of README and TUTORIAL"
  start_fuzzer          "schemathesis, beside the next step"
  run_rust_tests        "cargo test"
  finish_fuzzer         "the end of schemathesis"
  finish_drills         "the end of the drills"
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

# All packages are installed together: two installations at the same time fail.
require_test_tools() {
  require_node
  require_nginx
  require_package chromium "opens the pages" command -v chromium
  require_package faketime "gives a process a wrong clock" faketime_library
  require_package wrk "sends the reads" command -v wrk
  start_test_servers python3-venv "runs schemathesis" python3 -c 'import ensurepip, venv'
}

start_test_servers() { # start_test_servers [PACKAGE PURPOSE CHECK…]
  lock_stack test
  install_missing "$@"
  require_disk 4 # for the data of the servers
  if [[ ! -f $dir/keep ]]; then
    stop_stack # processes of a killed run
    rm -rf "$dir"
    install -d -m 700 "$dir"
    trap 'stop_background_steps; report_stopped_servers; stop_stack' EXIT
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

# Drills wait for most of their time, and have stacks of their own: hence the subshells. The measurement checks that no command
# is lost. It does not check the speed, so other steps can run at the same time.
run_drills() {
  (run_drill debug abuse --quick --rounds 1 --connections 0)
  (run_drill debug --short --cells 24 --rate 60)
  (run_bench debug --rounds 1 --seconds 1 --cases guild-view,async,waited-64,waited-1)
}

declare -A background=() # the steps beside others: the pid of each, which is also the id of its process group

start_background() { # start_background FUNCTION
  set -m # a process group of its own
  "$1" >"$dir/$1.log" 2>&1 &
  background[$1]=$!
  set +m
}

finish_background() { # finish_background FUNCTION
  wait "${background[$1]}" || die "$(<"$dir/$1.log")" "$1 has failed."
  unset "background[$1]"
}

# After the failure of another step.
stop_background_steps() {
  local pid
  for pid in "${background[@]}"; do kill -TERM -- "-$pid" 2>/dev/null || true; done
}

start_drills() { start_background run_drills; }

finish_drills() {
  finish_background run_drills
  grep -v 'is ready$' "$dir/run_drills.log" | tail -n 40
}

test_pages_short() { test_pages --short; }

check_documents() {
  start_fresh_site
  docs/check --stack "${dir#"$PWD"/.dev/}"
}

# schemathesis uses one processor, and the Rust tests have databases and queues of their own.
start_fuzzer() { start_background fuzz_api; }

finish_fuzzer() {
  finish_background fuzz_api
  tail -n 4 "$dir/fuzz_api.log"
}

run_rust_tests() { # run_rust_tests [CARGO-TEST-ARGUMENT…]
  local packages=(--workspace)
  if [[ " $* " == *" -p "* || " $* " == *" --package"* ]]; then packages=(); fi
  # The system tests wait for most of their time.
  RUST_TEST_THREADS=$((2 * $(nproc))) cargo test "${packages[@]}" --locked "$@" | tee "$dir/cargo-test.log"
}
