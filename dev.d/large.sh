# shellcheck shell=bash
# ./dev large: a site with large tables, and the time and the rows that each list needs.

large_usage() {
  cat <<'TEXT'
Usage: ./dev large [--scale N]

Fills a site of its own (.dev/large) with 1,000,000 payments, 1,000,000 characters, 100,000 guilds and the rest in proportion.
Then it reads each list without the cache: the first page, the last numbered page, and a page after a cursor, with each filter.
It prints the time of each request, and the number of rows and index entries that its queries have read.

  --scale N   a fraction of the size, such as 0.01 (default 1)

It needs about 10 minutes and 5 GB of disk at full size, without the build. The servers are stopped at the end, and the data
stays until the next run or until ./dev down and `rm -rf .dev/large`.
TEXT
}

large() { # large [--scale N]
  local scale=1 profile=${LARGE_PROFILE:-release}
  while (($#)); do
    case $1 in
      --scale) scale=${2:?--scale needs a number} && shift 2 ;;
      *) large_usage && exit "$([[ $1 == --help ]] && echo 0 || echo 2)" ;;
    esac
  done
  [[ $scale =~ ^(1|0?\.[0-9]+)$ ]] || die "--scale is a number above 0 and up to 1."
  lock_stack large
  install_missing python3 "reads the lists and the plans" command -v python3
  stop_stack # processes of a killed run
  rm -rf "$dir"
  install -d -m 700 "$dir"
  unset "${!DEV_@}"
  trap stop_stack EXIT
  trap 'exit 130' INT TERM HUP
  start_servers
  build_site "$profile"
  export GUILDHALL_REQUESTS_PER_MINUTE=1000000 GUILDHALL_LOG_INS_PER_MINUTE=1000000
  start_site "$profile"
  stop_processes api workers # no job runs while the tables are filled and read
  say "filling the tables"
  sql guildhall -q -v scale="$scale" -f dev.d/large.sql | while read -r line; do say "$line"; done
  report_plans_in_log
  start_app api "$profile" serve
  start_app workers "$profile" serve # it renews what the api needs to use its cache
  wait_until_ready api responds "$GUILDHALL_API_LISTEN" /readyz
  say "reading the lists"
  LARGE_STACK=$dir LARGE_CREDENTIALS=$(<"$dir/credentials") python3 dev.d/large.py
}

# Postgres writes the plan of each query of new connections into its log.
report_plans_in_log() {
  local setting
  for setting in "session_preload_libraries = 'auto_explain'" "auto_explain.log_min_duration = 0" "auto_explain.log_analyze = on" \
    "auto_explain.log_timing = off" "auto_explain.log_format = 'json'"; do
    sql postgres -qc "alter database guildhall set $setting"
  done
}
