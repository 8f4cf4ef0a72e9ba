# ./dev large: a site with large tables, and the time and the rows that each list needs.

# The role of the caller, or `visitor`, and the path with `@` in place of the page.
LISTS=(
  "visitor /guilds/@/20"
  "visitor /guild/players-without-guild?page=@&limit=20"{,"&search=large"}
  "player /guild/invites?page=@&limit=20"
  "player /accounts/characters?page=@&limit=20"
  "visitor /news/list/@/20"{,"?body=true"}
  "editor /news/listDashboard/@/20"
  "visitor /shop/"{category/list,item/list,offers}"?page=@&limit=20"
  "visitor /shop/offers?page=@&limit=20&category_id=1"
  "visitor /payments/packages?page=@&limit=20"
  "player /"{shop/purchases,payments/list,accounts/coins}"/@/20"
  "admin /admin/payments?page=@&limit=20"{,"&account_id=1","&status="{created,pending,expired,paid,cancelled,review,refunded}}
  "admin /admin/deliveries?page=@&limit=20"{,"&state="{open,delivered,parked}}
  "admin /admin/notifications?page=@&limit=20"{,"&state="{open,settled,parked}}
  "admin /admin/audit?page=@&limit=20"
  "admin /admin/mails?page=@&limit=20"{,"&state="{waiting,sent,parked,discarded}}
  "admin /admin/game-servers?page=@&limit=20"
)

dev_large() { # dev_large [--scale N]
  local scale=1
  if (($#)); then [[ $1 == --scale && $# == 2 ]] || wrong_usage; scale=$2; fi
  [[ $scale =~ ^(1|0?\.[0-9]+)$ ]] || die "--scale is a number above 0 and up to 1."
  lock_stack large
  require_package jq "reads the plans"
  install_missing
  begin_stack stop_stack
  start_servers
  build_site release
  lift_limits
  start_site release
  stop_processes api workers # no job runs while the tables are filled and read
  say "filling the tables"
  sql guildhall -q -v scale="$scale" -v posts=20000 -v operations=1000000 -f dev.d/large.sql | say_lines
  # Postgres writes the plan of each query of new connections into its log.
  printf 'alter database guildhall set %s;\n' "session_preload_libraries = 'auto_explain'" "auto_explain.log_min_duration = 0" \
    "auto_explain.log_analyze = on" "auto_explain.log_timing = off" "auto_explain.log_format = 'json'" | sql postgres -q
  start_apps release api workers # the workers renew what the api needs to use its cache
  say "reading the lists"
  read_lists
}

read_lists() {
  local list role path next separator
  local -A tokens=()
  for role in player editor admin; do tokens[$role]=$(log_in "http://$GUILDHALL_API_LISTEN" "$role"); done
  printf '%12s %10s  %s\n' milliseconds "rows read" request
  for list in "${LISTS[@]}"; do
    role=${list% *} path=${list#* } separator="?"
    measure "$role" "${path/@/1}" 2
    next=$(jq -r '.next // empty' "$dir/page.json")
    measure "$role" "${path/@/500}" 2 # the last numbered page: an api numbers 10,000 items
    if [[ $path == *\?* ]]; then separator="&"; fi
    if [[ -n $next ]]; then measure "$role" "${path/@/1}${separator}after=$next" 1; fi
  done
}

# Reads a page without the cache, and prints the time and the rows. The first queries also count the items of the list.
measure() { # measure ROLE PATH NUMBER-OF-QUERIES, with $tokens of read_lists
  local request=(-H "Content-Type: application/json") log=$dir/postgres.log offset seconds rows
  if [[ $1 != visitor ]]; then request+=(-H "Authorization: Bearer ${tokens[$1]}"); fi
  if [[ $2 == /guild/invites* ]]; then request+=(-d '{}'); fi
  REDISCLI_AUTH=$DEV_PASSWORD redis-cli -p "$DEV_REDIS_PORT" flushall >/dev/null
  offset=$(stat -c %s "$log")
  seconds=$(curl -fsS -m 60 -o "$dir/page.json" -w '%{time_total}' "${request[@]}" "http://$GUILDHALL_API_LISTEN$2")
  for _ in {1..100}; do
    # The last plan may not be complete yet.
    if rows=$(tail -c +$((offset + 1)) "$log" | rows_read "$3"); then break; fi
    sleep 0.05
  done
  [[ -n $rows ]] || die "Postgres has not reported the plans of $2"
  printf '%12.1f %10d  %s\n' "${seconds}e3" "$rows" "$2"
}

# Rows and index entries in the plans of a list's queries. A search that found none counts as one.
rows_read() { # rows_read NUMBER-OF-QUERIES: fails while the log has fewer
  awk '/^\t/ { if (is_plan) print substr($0, 2); next } { is_plan = /plan:$/ }' | jq -es --argjson queries "$1" '
    def is_read: has("Relation Name") or has("Index Name");
    def own: [[.["Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"]] | add, 1] | max;
    def rows: (if is_read then own * (."Actual Loops" // 0) else 0 end) + ([.Plans[]? | rows] | add // 0);
    map(select(."Query Text" | contains(" limit $")).Plan | rows) | if length < $queries then empty else add | floor end' 2>/dev/null
}
