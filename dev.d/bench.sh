# shellcheck shell=bash
# ./dev bench: the speed of a site of its own (.dev/bench), compared with what its servers can do on this machine.

bench() { # bench OPTION…
  build_site release guildhall-bench
  if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then exec "$target/release/guildhall-bench" --help; fi
  run_bench release "$@"
}

run_bench() { # run_bench PROFILE OPTION…
  local programs=$target/$1
  shift
  "$programs/guildhall-bench" "$@" --check-options
  lock_stack bench
  install_missing wrk "sends the reads" command -v wrk
  stop_bench # processes of a killed run
  rm -rf "$dir"
  install -d -m 700 "$dir"
  unset "${!DEV_@}"
  trap stop_bench EXIT
  trap 'exit 130' INT TERM HUP
  start_servers
  choose_floor_port
  export_bench_settings
  # Otherwise the number grows with the workers while they are compared.
  if [[ " $* " == *" --workers "* ]]; then export GUILDHALL_PARTITIONS=${GUILDHALL_PARTITIONS:-8}; fi
  sql postgres -qc 'create database bench_floor'
  if [[ " $* " == *" --large "* ]]; then fill_databases "$(scale_of "$@")"; else "$programs/guildhall-workers" migrate; fi
  start_app sandbox "${programs##*/}"
  wait_until_ready sandbox is_port_open "$DEV_SANDBOX_PORT"
  # The program starts and stops the api and the workers. It writes their pids into the files that stop_bench reads. They must not
  # keep the lock of this script.
  "$programs/guildhall-bench" "$@" 9>&-
}

stop_bench() {
  stop_processes floor workers4
  stop_stack
}

choose_floor_port() {
  local ports=("$DEV_API_PORT" "$DEV_WORKERS_PORT" "$DEV_SANDBOX_PORT" "$DEV_MAIL_PORT")
  choose_port FLOOR $((DEV_API_PORT + 4)) floor
  export DEV_FLOOR_PORT
}

# All requests come from one address. The log has its normal level, because the access log is a part of the cost.
export_bench_settings() { # with $programs of run_bench
  export GUILDHALL_REQUESTS_PER_MINUTE=100000000 GUILDHALL_LOG_INS_PER_MINUTE=1000000 GUILDHALL_REGISTRATIONS_PER_HOUR=1000000
  export GUILDHALL_CONNECTIONS_PER_ADDRESS=4096 GUILDHALL_ACCESS_TOKEN_MINUTES=1440 GUILDHALL_PIX_REQUESTS_PER_SECOND=100000
  export BENCH_STACK=$dir BENCH_PROGRAMS=$programs BENCH_COMMIT BENCH_RABBITMQ
  BENCH_COMMIT=$(git describe --always --dirty 2>/dev/null) || BENCH_COMMIT="an unknown commit"
  BENCH_RABBITMQ=$(rabbitmqctl version)
}

scale_of() { # scale_of OPTION…: the value of --scale, or 1
  local scale=1
  while (($#)); do
    case $1 in
      --scale) scale=$2 ;;
      --scale=*) scale=${1#*=} ;;
    esac
    shift
  done
  echo "$scale"
}

# Two databases with the same tables in two sizes. Each has a namespace of its own for its queues and cache keys.
fill_databases() { # fill_databases SCALE, with $programs of run_bench
  export BENCH_LARGE_DATABASE_URL=${GUILDHALL_DATABASE_URL%/*}/guildhall_large
  sql postgres -qc 'create database guildhall_large'
  fill_database small guildhall guildhall 0.001
  GUILDHALL_DATABASE_URL=$BENCH_LARGE_DATABASE_URL fill_database large guildhall_large guildhall-large "$1"
}

fill_database() { # fill_database NAME DATABASE NAMESPACE SCALE
  local workers=$programs/guildhall-workers
  say "filling the $1 database"
  GUILDHALL_NAMESPACE=$3 "$workers" migrate
  GUILDHALL_NAMESPACE=$3 "$workers" demo >"$dir/credentials.$1"
  sql "$2" -q -v scale="$4" -v posts=50000 -v operations=10000000 -f dev.d/large.sql | while read -r line; do say "$line"; done
}
