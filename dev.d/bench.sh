# ./dev bench: the speed of a site of its own (.dev/bench), compared with what its servers can do on this machine.

dev_bench() { build_site release guildhall-bench; run_bench release "$@"; } # dev_bench OPTION…

run_bench() { # run_bench PROFILE OPTION…
  local programs=$target/$1 scale
  shift
  scale=$("$programs/guildhall-bench" "$@" --check-options) # that of the large tables; empty without --large
  lock_stack bench
  require_package wrk "sends the reads"
  install_missing
  begin_stack stop_stack
  start_servers
  # All requests come from one address. The log has its normal level, because the access log is a part of the cost.
  lift_limits
  export GUILDHALL_REQUESTS_PER_MINUTE=100000000 GUILDHALL_CONNECTIONS_PER_ADDRESS=4096 GUILDHALL_ACCESS_TOKEN_MINUTES=1440
  export GUILDHALL_PIX_REQUESTS_PER_SECOND=100000 BENCH_STACK=$dir BENCH_PROGRAMS=$programs BENCH_COMMIT BENCH_RABBITMQ
  BENCH_COMMIT=$(git describe --always --dirty 2>/dev/null) || BENCH_COMMIT="an unknown commit"
  BENCH_RABBITMQ=$(run_rabbitmq_tool rabbitmqctl version)
  # Otherwise the number grows with the workers while they are compared.
  if [[ " $* " == *" --workers "* ]]; then export GUILDHALL_PARTITIONS=${GUILDHALL_PARTITIONS:-8}; fi
  sql postgres -qc 'create database bench_floor'
  if [[ -n $scale ]]; then
    # Two databases with the same tables in two sizes. Each has a namespace of its own for its queues and cache keys.
    export BENCH_LARGE_DATABASE_URL=${GUILDHALL_DATABASE_URL%/*}/guildhall_large
    sql postgres -qc 'create database guildhall_large'
    fill_database small guildhall guildhall 0.001
    GUILDHALL_DATABASE_URL=$BENCH_LARGE_DATABASE_URL fill_database large guildhall_large guildhall-large "$scale"
  else
    "$programs/guildhall-workers" migrate
  fi
  start_apps "${programs##*/}" sandbox
  # The program starts and stops the api and the workers. It writes their pids into the files that stop_stack reads. They must not
  # keep the lock of this script.
  "$programs/guildhall-bench" "$@" 9>&-
}

fill_database() { # fill_database NAME DATABASE NAMESPACE SCALE, with $programs of run_bench
  local workers=$programs/guildhall-workers
  say "filling the $1 database"
  GUILDHALL_NAMESPACE=$3 "$workers" migrate
  GUILDHALL_NAMESPACE=$3 "$workers" demo >"$dir/credentials.$1"
  sql "$2" -q -v scale="$4" -v posts=50000 -v operations=10000000 -f dev.d/large.sql | say_lines
}
