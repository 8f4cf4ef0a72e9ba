# A stack: one set of servers with its own ports, data and processes. They are up, test, drill, large, bench, compose and deploy.
# These functions set `stack` (its name) and `dir` (its folder). `cluster` is not empty when the stack has three nodes of RabbitMQ,
# and `mails` when it has a mail server.

stack="" dir="" cluster="" mails=""
SANDBOX_PIX_KEY=7d9f0335-8dcc-4054-9bf9-0dbd61d36906 # of an account without money, at the fake bank

use_stack() { # use_stack STACK: one that another ./dev may have started
  stack=$1 dir=$stacks/$1
  export PART_STACK=$1 # for ./dev part, which drills and tests of pages call
  if [[ -f $dir/env ]]; then load_env; fi
}

try_lock_stack() { # try_lock_stack STACK: fails while another ./dev uses the stack
  mkdir -p "$stacks"
  [[ -O .dev ]] || die ".dev/ belongs to the user $(stat -c %U .dev). Run this command as that user, or delete .dev/."
  exec 9>"$stacks/$1.lock"
  flock -n 9 || return 1
  install -d -m 700 "$stacks/$1" # it contains passwords
  use_stack "$1"
}

lock_stack() { try_lock_stack "$1" || die "Another ./dev uses the same servers. Wait for it, or stop it."; }

# Removes what a killed run of the locked stack has left. At the end of this command, STOP runs again.
begin_stack() { # begin_stack STOP
  "$1"
  rm -rf "$dir"
  install -d -m 700 "$dir"
  unset "${!DEV_@}" # the ports and passwords of that run
  background=() # of the shell that this one is a copy of
  # shellcheck disable=SC2064 # the function of this call
  trap "stop_background; $1" EXIT
  trap 'exit 130' INT TERM HUP
}

# shellcheck source=/dev/null
load_env() { set -a && source "$dir/env" && set +a; }

is_port_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# A name is that of the process in capitals, and may have more words after `_`. A port of an earlier run is kept while its process
# runs or no other process has taken it.
choose_ports() {
  local base=27000 api=8080 name port process taken=" "
  # A port of another clone's stack looks free while a drill restarts its process. A random start avoids most of these ports.
  if [[ $stack != up ]]; then base=$((20000 + RANDOM % 10000)) api=$((base + 800)); fi
  set -- API $((api)) WORKERS $((api + 1)) SANDBOX $((api + 2)) API_HEALTH $((api + 3)) NGINX $((api + 8)) \
    API2 $((api + 4)) WORKERS2 $((api + 5)) WORKERS3 $((api + 6)) HAPROXY $((api + 7)) FLOOR $((api + 9)) \
    PROXY $((api + 10)) BANK $((api + 11)) FALSE_API $((api + 12)) FALSE_API2 $((api + 13)) \
    SANDBOX_MAIL $((api + 14)) API2_HEALTH $((api + 15)) \
    POSTGRES $((base + 432)) REDIS $((base + 379)) EPMD $((base + 369)) POSTFIX $((base + 25)) POLICY $((base + 26)) \
    RABBITMQ $((base + 672)) RABBITMQ_DIST $((base + 673)) RABBITMQ2 $((base + 674)) RABBITMQ2_DIST $((base + 675)) \
    RABBITMQ3 $((base + 676)) RABBITMQ3_DIST $((base + 677))
  while (($#)); do
    name=DEV_$1_PORT process=${1%%_*}
    port=${!name:-$2}
    while [[ $taken == *" $port "* ]] || { ! is_running "${process,,}" && is_port_open "$port"; }; do port=$((port + 1)); done
    taken+="$port "
    printf -v "$name" %s "$port"
    shift 2
  done
}

write_env() { # chooses ports and secrets, writes $dir/env and loads it
  local text
  choose_ports
  # Other users of this machine reach its loopback too, and a superuser of Postgres can run programs: hence passwords.
  : "${DEV_PASSWORD:=$(random_hex)}" "${DEV_SECRET:=$(random_base64 48)}" "${DEV_MAIL_SECRET:=$(random_base64 32)}"
  : "${DEV_WEBHOOK_SECRET:=$(random_hex)}" "${DEV_SIGNING_SECRET:=whsec_$(random_base64 32)}"
  text=$(print_env)
  # The file is written only when its text changes: services older than the file are restarted.
  [[ -f $dir/env && $(<"$dir/env") == "$text" ]] || echo "$text" >"$dir/env"
  load_env
}

print_env() {
  local name node=amqp://guildhall:$DEV_PASSWORD@127.0.0.1 smtp=smtp://127.0.0.1:$DEV_SANDBOX_MAIL_PORT verified=true
  local amqp=$node:$DEV_RABBITMQ_PORT/%2f
  if [[ -n $cluster ]]; then amqp+=,$node:$DEV_RABBITMQ2_PORT/%2f,$node:$DEV_RABBITMQ3_PORT/%2f; fi
  if [[ -n $mails ]]; then smtp="smtp://localhost:$DEV_POSTFIX_PORT?tls=required"; fi
  if [[ $stack == drill || $stack == bench ]]; then verified=false; fi
  for name in "${!DEV_@}"; do printf '%s=%q\n' "$name" "${!name}"; done
  cat <<TEXT
GUILDHALL_SECRET=$DEV_SECRET
GUILDHALL_DATABASE_URL=postgres://guildhall:$DEV_PASSWORD@127.0.0.1:$DEV_POSTGRES_PORT/guildhall
GUILDHALL_AMQP_URL='$amqp'
GUILDHALL_REDIS_URL=redis://default:$DEV_PASSWORD@127.0.0.1:$DEV_REDIS_PORT
GUILDHALL_API_LISTEN=127.0.0.1:$DEV_API_PORT
GUILDHALL_API_HEALTH_LISTEN=127.0.0.1:$DEV_API_HEALTH_PORT
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
GUILDHALL_SANDBOX_MAIL_LISTEN=127.0.0.1:$DEV_SANDBOX_MAIL_PORT
GUILDHALL_SMTP_URL=$smtp
GUILDHALL_MAIL_FROM='Guildhall <noreply@localhost.localdomain>'
GUILDHALL_MAIL_SECRET=$DEV_MAIL_SECRET
GUILDHALL_SITE_URL=http://localhost:$DEV_NGINX_PORT
GUILDHALL_VERIFIED_EMAIL_REQUIRED=$verified
TEXT
}
