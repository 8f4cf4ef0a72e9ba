# shellcheck shell=bash
# Postgres, RabbitMQ and Redis of a stack. Each listens on loopback only, with a password.

RABBITMQ=/usr/lib/rabbitmq/bin/rabbitmq-server # Debian's wrapper in /usr/sbin insists on the user rabbitmq

start_servers() {
  write_env
  is_running rabbitmq || start_rabbitmq
  is_running redis || start_redis
  is_running postgres || start_postgres
  wait_until_ready redis is_port_open "$DEV_REDIS_PORT"
  wait_until_ready postgres is_postgres_ready
  wait_until_ready rabbitmq is_amqp_ready "$DEV_RABBITMQ_PORT"
  if [[ -n $cluster ]]; then start_other_rabbitmq_nodes; fi
  [[ -n $(sql postgres -tAc "select 1 from pg_database where datname = 'guildhall'") ]] || sql postgres -qc 'create database guildhall'
}

# ---- Postgres ---------------------------------------------------------------------------------

sql() { # sql DATABASE PSQL-ARGUMENT…
  is_running postgres || die "The database is not running. Start it with ./dev up."
  PGPASSWORD=$DEV_PASSWORD "${in_release[@]}" "$(postgres_bin)/psql" -X -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$DEV_POSTGRES_PORT" -U guildhall -d "$1" "${@:2}"
}

is_postgres_ready() { "${in_release[@]}" "$(postgres_bin)/pg_isready" -h 127.0.0.1 -p "$DEV_POSTGRES_PORT"; }

postgres_bin() { # of the version that created the data, or else of the newest
  local version
  version=$(cat "$dir/postgres/PG_VERSION" 2>/dev/null) || version=$(printf '%s\n' "$root"/usr/lib/postgresql/*/bin | sort -V | tail -n1 | rev | cut -d/ -f2 | rev)
  echo "/usr/lib/postgresql/$version/bin"
}

start_postgres() {
  local bin settings=() as_postgres=()
  bin=$(postgres_bin)
  [[ -x $root$bin/postgres ]] || die "Postgres $(<"$dir/postgres/PG_VERSION") has created the data, and is not installed. Install it, or run ./dev reset."
  # Postgres refuses to run as root, and the user postgres cannot enter a checkout under /root: hence the capability.
  if ((EUID == 0)); then
    as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override)
  fi
  # Each test creates a database. Nothing has to survive a power failure; a killed process loses nothing even so.
  if [[ $stack == test ]]; then settings=(-c max_connections=300 -c fsync=off -c full_page_writes=off); fi
  if [[ ! -d $dir/postgres ]]; then create_postgres_data; fi
  start_process postgres "${in_release[@]}" "${as_postgres[@]}" "$bin/postgres" -D "$dir/postgres" -c listen_addresses=127.0.0.1 -c port="$DEV_POSTGRES_PORT" \
    -c unix_socket_directories= "${settings[@]}"
}

create_postgres_data() { # with $bin and $as_postgres of start_postgres
  local method=scram-sha-256
  if [[ $stack == test ]]; then method=md5; fi # the tests open thousands of connections, and SCRAM makes each one slow
  say "postgres: creating its data folder"
  rm -rf "$dir/postgres.new"
  "${in_release[@]}" "${as_postgres[@]}" "$bin/initdb" -D "$dir/postgres.new" -U guildhall --pwfile=<(echo "$DEV_PASSWORD") \
    --auth="$method" --encoding=UTF8 --locale=C.UTF-8 >"$dir/postgres.log" 2>&1 || die "$(<"$dir/postgres.log")" "initdb failed."
  mv "$dir/postgres.new" "$dir/postgres"
}

# ---- Redis ------------------------------------------------------------------------------------

start_redis() {
  cat >"$dir/redis.conf" <<TEXT
bind 127.0.0.1
port $DEV_REDIS_PORT
requirepass $DEV_PASSWORD
dir $dir
save ""
appendonly no
maxmemory 256mb
maxmemory-policy allkeys-lru
TEXT
  start_process redis "${in_release[@]}" redis-server "$dir/redis.conf"
}

# ---- RabbitMQ ---------------------------------------------------------------------------------

# RabbitMQ listens before it has booted. It sends a reply only after that.
is_amqp_ready() { (exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'AMQP\0\0\11\1' >&3 && read -rt 2 -N 1 -u 3) 2>/dev/null; }

start_rabbitmq() { # start_rabbitmq [NUMBER]: the first node, or another node of a cluster
  local name=rabbitmq${1:-} node=guildhall-$stack${1:-}@localhost
  local home=$dir/$name dist=DEV_RABBITMQ${1:-}_DIST_PORT
  configure_rabbitmq "${1:-}"
  # Started here, not by RabbitMQ: its epmd would outlive it and serve other Erlang nodes of this machine.
  is_running epmd || start_process epmd "${in_release[@]}" env -i PATH=/usr/bin:/bin epmd -port "$DEV_EPMD_PORT" -address 127.0.0.1
  wait_until_ready epmd is_port_open "$DEV_EPMD_PORT"
  # RUNNING_UNDER_SYSTEMD makes the script exec the server, so that the recorded pid is the pid of the server.
  start_process "$name" "${in_release[@]}" env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME="$home" RUNNING_UNDER_SYSTEMD=true \
    ERL_EPMD_PORT="$DEV_EPMD_PORT" ERL_EPMD_ADDRESS=127.0.0.1 RABBITMQ_NODENAME="$node" \
    RABBITMQ_DIST_PORT="${!dist}" RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1}' \
    RABBITMQ_SCHEDULER_BIND_TYPE=u RABBITMQ_LOGS=- RABBITMQ_LOG_BASE="$home/log" RABBITMQ_MNESIA_BASE="$home/mnesia" \
    RABBITMQ_CONF_ENV_FILE="$home/none" RABBITMQ_CONFIG_FILE="$home/rabbitmq.conf" RABBITMQ_CONFIG_FILES="$home/conf.d" \
    RABBITMQ_ADVANCED_CONFIG_FILE="$home/none.config" RABBITMQ_ENABLED_PLUGINS_FILE="$home/enabled_plugins" \
    RABBITMQ_GENERATED_CONFIG_DIR="$home/config" "$RABBITMQ"
}

configure_rabbitmq() { # configure_rabbitmq NUMBER|"", with $home and $node of start_rabbitmq
  local port=DEV_RABBITMQ$1_PORT
  mkdir -p "$home"
  [[ -e $dir/cookie ]] || (umask 077 && random_hex >"$dir/cookie")
  install -m 400 "$dir/cookie" "$home/.erlang.cookie"
  echo '[].' >"$home/enabled_plugins"
  cat >"$home/rabbitmq.conf" <<TEXT
listeners.tcp.loopback = 127.0.0.1:${!port}
default_user = guildhall
default_pass = $DEV_PASSWORD
vm_memory_high_watermark.absolute = 1GiB
cluster_partition_handling = pause_minority
# RabbitMQ also keeps this much in memory. The default is 512 MiB.
raft.wal_max_size_bytes = 67108864
TEXT
  print_cluster_formation "$1" >>"$home/rabbitmq.conf"
}

rabbitmqctl() { run_rabbitmq_tool rabbitmqctl "$@"; }

run_rabbitmq_tool() { # run_rabbitmq_tool PROGRAM ARGUMENT…
  local home=$dir/rabbitmq
  "${in_release[@]}" env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME="$home" ERL_EPMD_PORT="$DEV_EPMD_PORT" ERL_EPMD_ADDRESS=127.0.0.1 \
    RABBITMQ_NODENAME="guildhall-$stack@localhost" RABBITMQ_CONF_ENV_FILE="$home/none" \
    "${RABBITMQ%/*}/$1" --quiet "${@:2}"
}
