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

start_site() { # start_site PROFILE
  local workers=$target/$1/guildhall-workers
  say "migrating the database, declaring the queues"
  "$workers" migrate
  if [[ ! -s $dir/credentials ]]; then
    say "loading the demo community"
    # A database with accounts stays as it is. Only the passwords of an earlier demo are lost.
    "$workers" demo | tee "$dir/credentials.new" ||
      say "no demo was loaded, and there are no credentials. ./dev reset deletes the data of ./dev up"
    mv "$dir/credentials.new" "$dir/credentials"
  fi
  start_apps "$1" sandbox workers api
  "$workers" register-webhook "http://$GUILDHALL_API_LISTEN/payments/instant/webhook" # with GUILDHALL_PIX_WEBHOOK_SECRET
}

start_apps() { # start_apps PROFILE api|workers|sandbox…: a digit after the name means another process of the same kind
  local name binary pid
  for name in "${@:2}"; do
    binary=$target/$1/guildhall-${name%[0-9]}
    if pid=$(pid_of "$name") && { [[ ! /proc/$pid/exe -ef $binary ]] || [[ $dir/env -nt $dir/$name.pid ]]; }; then
      say "$name has changed"
      stop_processes "$name"
    fi
    is_running "$name" || case $name in
      sandbox) start_process sandbox "$binary" ;;
      *) start_process "$name" "$binary" serve ;;
    esac
  done
  wait_for "${@:2}"
}

credentials() { awk -v role="$1" '$1 == role { print $2, $3 }' "$dir/credentials"; } # credentials ROLE: name and secret

log_in() { # log_in API ROLE [CURL-ARGUMENT…]: prints an access token
  local name password
  read -r name password < <(credentials "$2")
  curl -fsS -m 60 "${@:3}" "$1/auth" -H 'Content-Type: application/json' \
    -d "{\"login\": \"$name\", \"password\": \"$password\"}" | jq -er .access_token
}

# Tests and drills send all requests from one address and log in often.
lift_limits() {
  export GUILDHALL_REQUESTS_PER_MINUTE=1000000 GUILDHALL_LOG_INS_PER_MINUTE=1000000 GUILDHALL_REGISTRATIONS_PER_HOUR=1000000
}

# A new database with the demo community and nothing else.
start_fresh_site() {
  stop_processes api workers sandbox
  rm -f "$dir/credentials" "$dir/sandbox.journal"
  sql postgres -q -c 'drop database if exists guildhall with (force)' -c 'create database guildhall'
  (lift_limits && start_site debug)
}

# The addresses and accounts that the examples and the tests of the pages use.
export_example_environment() {
  local role name secret
  load_env
  export GUILDHALL_URL=http://$GUILDHALL_API_LISTEN GUILDHALL_BANK_URL=http://$GUILDHALL_SANDBOX_LISTEN GUILDHALL_GAME_TOKEN
  for role in editor merchant; do
    read -r name secret < <(credentials $role)
    export "GUILDHALL_${role^^}=$name" "GUILDHALL_${role^^}_PASSWORD=$secret"
  done
  read -r name GUILDHALL_GAME_TOKEN < <(credentials game)
}

# The commands of README and TUTORIAL.
check_documents() { docs/check --stack "${dir#"$PWD"/.dev/}" "$@"; } # check_documents [OPTION OR FILE…]

dev_up() { # dev_up [--release]
  local profile=debug pages="not built: Node is missing or too old. Install 20.19 or newer, then run ./dev up again"
  [[ $* =~ ^(--release)?$ ]] || wrong_usage
  if (($#)); then profile=release; fi
  lock_stack up
  if [[ ! -d $target/$profile ]]; then require_disk 6; fi
  if has_node; then require_nginx; fi
  install_missing
  start_servers
  build_site "$profile"
  start_site "$profile"
  if has_node; then # everything else runs without Node
    start_web
    pages="http://localhost:$DEV_NGINX_PORT (log in with a name and a password below)"
  fi
  cat <<TEXT

Guildhall is running.

  site           $pages
  API            http://$GUILDHALL_API_LISTEN
  documentation  http://$GUILDHALL_API_LISTEN/docs
  fake bank      http://$GUILDHALL_SANDBOX_LISTEN (pay here)
  mails          http://$GUILDHALL_SANDBOX_LISTEN/mails (what the site has sent)
  health         http://$GUILDHALL_API_HEALTH_LISTEN/readyz (api), http://$GUILDHALL_WORKERS_LISTEN/readyz (workers)
  environment    .dev/up/env

$(sed 's/^/  /' "$dir/credentials")

Try:  curl http://$GUILDHALL_API_LISTEN/guilds/1/10
Stop: ./dev down
TEXT
}

dev_down() {
  # A running ./dev test keeps its servers. Servers that a killed one has left are stopped.
  if try_lock_stack test; then stop_stack; rm -f "$dir/keep"; else say "a ./dev test is running; its servers are not stopped"; fi
  lock_stack up
  stop_stack
}

dev_reset() { dev_down; rm -rf "$stacks/up"; say "the data of ./dev up is deleted"; }

dev_psql() { lock_stack up; exec 9>&-; sql guildhall "$@"; }

dev_logs() { exec tail -n 20 -F "$stacks"/up/*.log; }
