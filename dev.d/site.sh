# shellcheck shell=bash
# The site: api, workers and the fake bank (sandbox), on the servers of a stack.

build_site() { # build_site PROFILE [PACKAGE…]
  local packages=(guildhall-api guildhall-workers guildhall-sandbox "${@:2}")
  if [[ $1 == debug ]]; then
    say "cargo build of 500 packages (the first build takes some minutes)"
    # All programs, so that cargo chooses the same features as for the tests: ./dev test then compiles no dependency again.
    cargo build --locked --workspace --bins
  else
    say "cargo build --release (the first build takes ten minutes)"
    cargo build --locked --release "${packages[@]/#/--package=}"
  fi
}

start_site() { # start_site PROFILE [QUERY]: the query is for a release that takes the secret of the webhook in its address
  local workers=$target/$1/guildhall-workers
  say "migrating the database, declaring the queues"
  "$workers" migrate
  if [[ ! -s $dir/credentials ]]; then
    say "loading the demo community"
    # A database with accounts stays as it is. Only the passwords of an earlier demo are lost.
    if "$workers" demo | tee "$dir/credentials.new"; then
      mv "$dir/credentials.new" "$dir/credentials"
    else
      say "no demo was loaded, and there are no credentials. ./dev reset deletes the data of ./dev up"
      : >"$dir/credentials"
    fi
  fi
  start_app sandbox "$1"
  start_app workers "$1" serve
  start_app api "$1" serve
  wait_until_ready sandbox is_port_open "$DEV_SANDBOX_PORT"
  wait_until_ready workers responds "$GUILDHALL_WORKERS_LISTEN" /readyz
  wait_until_ready api responds "$GUILDHALL_API_LISTEN" /readyz
  "$workers" register-webhook "http://$GUILDHALL_API_LISTEN/payments/instant/webhook${2:-}" # with GUILDHALL_PIX_WEBHOOK_SECRET
}

start_app() { # start_app api|workers|sandbox PROFILE [ARGUMENT]: a digit after the name means another process of the same kind
  local binary=$target/$2/guildhall-${1%[0-9]} pid
  if pid=$(pid_of "$1") && { [[ ! /proc/$pid/exe -ef $binary ]] || [[ $dir/env -nt $dir/$1.pid ]]; }; then
    say "$1 has changed"
    stop_processes "$1"
  fi
  is_running "$1" || start_process "$1" "$binary" "${@:3}"
}

responds() { curl --noproxy '*' -fsS -m 5 "http://$1$2"; } # responds ADDRESS PATH

credentials() { awk -v role="$1" '$1 == role { print $2, $3 }' "$dir/credentials"; } # credentials ROLE: name and secret

# A new database with the demo community and nothing else.
start_fresh_site() {
  stop_processes api workers sandbox
  rm -f "$dir/credentials" "$dir/sandbox.journal"
  sql postgres -q -c 'drop database if exists guildhall with (force)' -c 'create database guildhall'
  # Tests send all requests from one address and log in often.
  GUILDHALL_REQUESTS_PER_MINUTE=1000000 GUILDHALL_LOG_INS_PER_MINUTE=1000000 GUILDHALL_REGISTRATIONS_PER_HOUR=1000000 start_site debug
}

up() { # up [--release]
  local profile=debug pages
  case ${1:-} in
    "") ;;
    --release) profile=release ;;
    *) die "./dev up [--release]" ;;
  esac
  lock_stack up
  if [[ ! -d $target/$profile ]]; then require_disk 6; fi
  if has_node; then require_nginx; fi
  install_missing
  start_servers
  build_site "$profile"
  start_site "$profile"
  start_pages
  cat <<TEXT

Guildhall is running.

  site           $pages
  API            http://$GUILDHALL_API_LISTEN
  documentation  http://$GUILDHALL_API_LISTEN/docs
  fake bank      http://$GUILDHALL_SANDBOX_LISTEN (pay here)
  mails          http://$GUILDHALL_SANDBOX_LISTEN/mails (what the site has sent)
  health         http://$GUILDHALL_WORKERS_LISTEN/readyz (workers)
  environment    .dev/up/env

$(sed 's/^/  /' "$dir/credentials")

Try:  curl http://$GUILDHALL_API_LISTEN/guilds/1/10
Stop: ./dev down
TEXT
}

# Everything else runs without Node.
start_pages() { # sets $pages, the line about the pages
  if ! has_node; then
    pages="not built: Node is missing or too old. Install 20.19 or newer, then run ./dev up again"
    return
  fi
  build_web
  start_web
  pages="http://localhost:$DEV_SITE_PORT (log in with a name and a password below)"
}

down() {
  # A running ./dev test keeps its servers. Servers that a killed one has left are stopped.
  if try_lock_stack test; then stop_stack; rm -f "$dir/keep"; else say "a ./dev test is running; its servers are not stopped"; fi
  lock_stack up
  stop_stack
}

reset() {
  down
  rm -rf "$stacks/up"
  say "the data of ./dev up is deleted"
}
