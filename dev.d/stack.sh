# shellcheck shell=bash
# A stack: one set of servers with its own ports, data and processes. They are up, test, drill, large, compose and deploy.
# These functions set `stack` (its name) and `dir` (its folder). `cluster` is not empty when the stack has several
# processes of each kind, `pairs` when it has two apis and two workers, and `mails` when it has a mail server.

stack="" dir="" cluster="" pairs="" mails=""
SANDBOX_PIX_KEY=7d9f0335-8dcc-4054-9bf9-0dbd61d36906 # of an account without money, at the fake bank

try_lock_stack() { # try_lock_stack STACK: fails while another ./dev uses the stack
  stack=$1 dir=$stacks/$1
  export PART_STACK=$1 # for ./dev part, which drills and tests of pages call
  mkdir -p "$stacks"
  [[ -O .dev ]] || die ".dev/ belongs to the user $(stat -c %U .dev). Run this command as that user, or delete .dev/."
  exec 9>"$dir.lock"
  flock -n 9 || return 1
  install -d -m 700 "$dir" # it contains passwords
  if [[ -f $dir/env ]]; then load_env; fi
}

lock_stack() { try_lock_stack "$1" || die "Another ./dev uses the same servers. Wait for it, or stop it."; }

# ---- Ports and environment --------------------------------------------------------------------

load_env() {
  set -a
  # shellcheck source=/dev/null
  source "$dir/env"
  set +a
}

is_port_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# A port of an earlier run is kept while its process runs or no other process has taken it.
choose_port() { # choose_port NAME DEFAULT PROCESS
  local name=DEV_$1_PORT
  local port=${!name:-$2}
  while [[ " ${ports[*]} " == *" $port "* ]] || { ! is_running "$3" && is_port_open "$port"; }; do port=$((port + 1)); done
  ports+=("$port")
  printf -v "$name" %s "$port"
}

choose_ports() {
  local ports=() base=27000 api=8080
  # A port of another clone's stack looks free while a drill restarts its process. A random start avoids most of these ports.
  if [[ $stack != up ]]; then base=$((20000 + RANDOM % 10000)) api=$((base + 800)); fi
  choose_port POSTGRES $((base + 432)) postgres
  choose_port RABBITMQ $((base + 672)) rabbitmq
  choose_port RABBITMQ_DIST $((base + 673)) rabbitmq
  choose_port EPMD $((base + 369)) epmd
  choose_port REDIS $((base + 379)) redis
  choose_port API $api api
  choose_port WORKERS $((api + 1)) workers
  choose_port SANDBOX $((api + 2)) sandbox
  choose_port MAIL $((api + 3)) sandbox
  if [[ $stack == up || $stack == test ]]; then choose_port SITE $((api + 8)) nginx; fi
  if [[ -n $cluster ]]; then choose_cluster_ports "$base" "$api"; fi
  if [[ -n $pairs ]]; then choose_pair_ports "$api"; fi
  if [[ -n $mails ]]; then choose_port POSTFIX $((base + 25)) postfix && choose_port POLICY $((base + 26)) postfix; fi
  if [[ $stack == drill ]]; then choose_port WORKERS3 $((api + 6)) workers3; fi
}

# Other users of this machine reach its loopback too, and a superuser of Postgres can run programs: hence passwords.
choose_secrets() {
  : "${DEV_PASSWORD:=$(random_hex)}" "${DEV_SECRET:=$(random_base64 48)}"
  : "${DEV_MAIL_SECRET:=$(random_base64 32)}" "${DEV_WEBHOOK_SECRET:=$(random_hex)}" "${DEV_SIGNING_SECRET:=whsec_$(random_base64 32)}"
}

write_env() { # chooses ports and secrets, writes $dir/env and loads it
  local text
  choose_ports
  choose_secrets
  text=$(print_env)
  # The file is written only when its text changes: services older than the file are restarted.
  [[ -f $dir/env && $(<"$dir/env") == "$text" ]] || echo "$text" >"$dir/env"
  load_env
}

print_env() {
  local name
  for name in "${!DEV_@}"; do printf '%s=%q\n' "$name" "${!name}"; done
  cat <<TEXT
GUILDHALL_SECRET=$DEV_SECRET
GUILDHALL_DATABASE_URL=postgres://guildhall:$DEV_PASSWORD@127.0.0.1:$DEV_POSTGRES_PORT/guildhall
GUILDHALL_AMQP_URL='$(amqp_urls)'
GUILDHALL_REDIS_URL=redis://default:$DEV_PASSWORD@127.0.0.1:$DEV_REDIS_PORT
GUILDHALL_API_LISTEN=127.0.0.1:$DEV_API_PORT
GUILDHALL_WORKERS_LISTEN=127.0.0.1:$DEV_WORKERS_PORT
GUILDHALL_PIX_URL=http://127.0.0.1:$DEV_SANDBOX_PORT/api/v2
GUILDHALL_PIX_TOKEN_URL=http://127.0.0.1:$DEV_SANDBOX_PORT/oauth/token
GUILDHALL_PIX_KEY=$SANDBOX_PIX_KEY
GUILDHALL_PIX_CLIENT_ID=guildhall
GUILDHALL_PIX_CLIENT_SECRET=$DEV_PASSWORD
GUILDHALL_PIX_WEBHOOK_SECRET=$DEV_WEBHOOK_SECRET
GUILDHALL_WEBHOOK_SECRETS=$DEV_SIGNING_SECRET
GUILDHALL_SANDBOX_LISTEN=127.0.0.1:$DEV_SANDBOX_PORT
GUILDHALL_SANDBOX_DATA=$(printf %q "$dir/sandbox.journal")
GUILDHALL_SANDBOX_KEYS=$SANDBOX_PIX_KEY
GUILDHALL_SANDBOX_CLIENT_SECRET=$DEV_PASSWORD
GUILDHALL_SANDBOX_SIGNED_URL=http://127.0.0.1:$DEV_API_PORT/payments/instant/webhook
GUILDHALL_SANDBOX_SIGNED_SECRET=$DEV_SIGNING_SECRET
GUILDHALL_SANDBOX_MAIL_LISTEN=127.0.0.1:$DEV_MAIL_PORT
GUILDHALL_SMTP_URL=$(smtp_url)
GUILDHALL_MAIL_FROM='Guildhall <noreply@localhost.localdomain>'
GUILDHALL_MAIL_SECRET=$DEV_MAIL_SECRET
GUILDHALL_SITE_URL=http://localhost:${DEV_SITE_PORT:-$DEV_API_PORT}
GUILDHALL_VERIFIED_EMAIL_REQUIRED=$([[ $stack == drill || $stack == bench ]] && echo false || echo true)
TEXT
}

# The mail catcher, or the mail server of ./dev drill mails.
smtp_url() {
  if [[ -n $mails ]]; then echo "smtp://localhost:$DEV_POSTFIX_PORT?tls=required"; else echo "smtp://127.0.0.1:$DEV_MAIL_PORT"; fi
}

amqp_urls() { # of each node, separated by commas
  local port urls=()
  for port in "$DEV_RABBITMQ_PORT" ${DEV_RABBITMQ2_PORT:-} ${DEV_RABBITMQ3_PORT:-}; do
    urls+=("amqp://guildhall:$DEV_PASSWORD@127.0.0.1:$port/%2f")
  done
  (IFS=, && echo "${urls[*]}")
}

# ---- Processes --------------------------------------------------------------------------------

start_time_of() { # start_time_of PID: in clock ticks since boot; fails for a process that has ended or is a zombie
  local stat
  { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
  read -ra stat <<<"${stat##*) }"
  [[ ${stat[0]:-Z} != Z ]] && echo "${stat[19]}" # empty if the process ends meanwhile
}

# The system reuses a pid. A pid together with its start time is unique.
pid_of() { # pid_of NAME: fails when the process does not run
  local pid start_time
  read -r pid start_time 2>/dev/null <"$dir/$1.pid" && [[ -n ${start_time:-} && $(start_time_of "$pid") == "$start_time" ]] && echo "$pid"
}

is_running() { pid_of "$1" >/dev/null; }

start_process() { # start_process NAME COMMAND…: in its own session, so that Ctrl-C here does not reach it
  local name=$1
  shift
  setsid "$@" </dev/null >>"$dir/$name.log" 2>&1 9>&- &
  echo "$! $(start_time_of $!)" >"$dir/$name.pid"
  disown # bash prints no line when a drill kills the process
}

wait_until_ready() { # wait_until_ready NAME CHECK…: until the check succeeds
  local name=$1 problem="" deadline=$((SECONDS + 90))
  shift
  until "$@" >/dev/null 2>&1; do
    if ! is_running "$name"; then problem="$name has stopped."; fi
    if ((SECONDS > deadline)); then problem="$name is not ready after 90 s."; fi
    [[ -z $problem ]] || die "The end of $dir/$name.log:" "$(tail -n 25 "$dir/$name.log")" "$problem"
    sleep 0.2
  done
  say "$name is ready"
}

stop_processes() { # stop_processes NAME…: sends a signal to all of them, and SIGKILL after 20 s
  local name pid
  for name in "$@"; do
    pid=$(pid_of "$name") || continue
    say "stopping $name"
    case $name in
      # A drill may have frozen it, with its children. SIGTERM would wait for the last client to disconnect.
      postgres)
        # shellcheck disable=SC2046 # each word is an argument
        kill -CONT "$pid" $(<"/proc/$pid/task/$pid/children") || true
        kill -INT "$pid"
        ;;
      *) kill -TERM "$pid" ;;
    esac
  done
  for name in "$@"; do
    for _ in {1..200}; do is_running "$name" || break; sleep 0.1; done
    if pid=$(pid_of "$name"); then kill -KILL "$pid"; fi
    rm -f "$dir/$name.pid"
  done
}

stop_stack() {
  stop_processes haproxy nginx api api2 workers workers2 workers3 sandbox postfix
  stop_processes rabbitmq rabbitmq2 rabbitmq3 postgres redis
  stop_processes epmd
}
