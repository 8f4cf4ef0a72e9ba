# Postgres, RabbitMQ and Redis of a stack. Each listens on loopback only, with a password.

RABBITMQ=/usr/lib/rabbitmq/bin/rabbitmq-server # Debian's wrapper in /usr/sbin insists on the user rabbitmq

start_servers() {
  local number
  write_env
  is_running rabbitmq || start_rabbitmq
  is_running redis || start_redis
  is_running postgres || start_postgres
  wait_for redis postgres rabbitmq
  for number in ${cluster:+2 3}; do
    start_rabbitmq "$number"
    wait_for "rabbitmq$number"
  done
  [[ -n $(sql postgres -tAc "select 1 from pg_database where datname = 'guildhall'") ]] || sql postgres -qc 'create database guildhall'
}

sql() { # sql DATABASE PSQL-ARGUMENT…
  is_running postgres || die "The database is not running. Start it with ./dev up."
  PGPASSWORD=$DEV_PASSWORD postgres_program psql -X -v ON_ERROR_STOP=1 -U guildhall -d "$@"
}

postgres_program() { "${in_release[@]}" "$(postgres_bin)/$1" -h 127.0.0.1 -p "$DEV_POSTGRES_PORT" "${@:2}"; } # NAME ARGUMENT…

postgres_bin() { # of the version that created the data, or else of the newest
  local version
  version=$(cat "$dir/postgres/PG_VERSION" 2>/dev/null || basename -a "$root"/usr/lib/postgresql/*/ | sort -V | tail -n1)
  echo "/usr/lib/postgresql/$version/bin"
}

start_postgres() {
  local bin settings=() as_postgres=() method=scram-sha-256
  bin=$(postgres_bin)
  [[ -x $root$bin/postgres ]] || die "$bin/postgres, which has created the data, is not installed. Install it, or run ./dev reset."
  # Postgres refuses to run as root, and the user postgres cannot enter a checkout under /root: hence the capability.
  if ((EUID == 0)); then
    as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override)
  fi
  # Each test creates a database. Nothing has to survive a power failure; a killed process loses nothing even so.
  if [[ $stack == test ]]; then settings=(-c max_connections=300 -c fsync=off -c full_page_writes=off); fi
  if [[ ! -d $dir/postgres ]]; then
    # The tests open thousands of connections, and SCRAM makes each one slow.
    if [[ $stack == test ]]; then method=md5; fi
    say "postgres: creating its data folder"
    rm -rf "$dir/postgres.new"
    quietly "${in_release[@]}" "${as_postgres[@]}" "$bin/initdb" -D "$dir/postgres.new" -U guildhall --pwfile=<(echo "$DEV_PASSWORD") \
      --auth="$method" --encoding=UTF8 --locale=C.UTF-8
    mv "$dir/postgres.new" "$dir/postgres"
  fi
  start_process postgres "${in_release[@]}" "${as_postgres[@]}" "$bin/postgres" -D "$dir/postgres" -c listen_addresses=127.0.0.1 \
    -c port="$DEV_POSTGRES_PORT" -c unix_socket_directories= -c log_line_prefix='%m [%a] ' \
    "${settings[@]}"
}

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

# RabbitMQ listens before it has booted. It sends a reply only after that.
is_amqp_ready() { (exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'AMQP\0\0\11\1' >&3 && read -rt 2 -N 1 -u 3) 2>/dev/null; }

start_rabbitmq() { # start_rabbitmq [NUMBER]: the first node, or another node of a cluster
  local number=${1:-} dist=DEV_RABBITMQ${1:-}_DIST_PORT home environment
  set_rabbitmq_environment "$number"
  configure_rabbitmq
  # Started here, not by RabbitMQ: its epmd would outlive it and serve other Erlang nodes of this machine.
  is_running epmd || start_process epmd "${in_release[@]}" env -i PATH=/usr/bin:/bin epmd -port "$DEV_EPMD_PORT" -address 127.0.0.1
  wait_for epmd
  # RUNNING_UNDER_SYSTEMD makes the script exec the server, so that the recorded pid is the pid of the server.
  start_process "rabbitmq$number" "${environment[@]}" RUNNING_UNDER_SYSTEMD=true RABBITMQ_DIST_PORT="${!dist}" \
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1}' RABBITMQ_SCHEDULER_BIND_TYPE=u \
    RABBITMQ_LOGS=- RABBITMQ_LOG_BASE="$home/log" RABBITMQ_MNESIA_BASE="$home/mnesia" RABBITMQ_GENERATED_CONFIG_DIR="$home/config" \
    RABBITMQ_CONFIG_FILE="$home/rabbitmq.conf" RABBITMQ_CONFIG_FILES="$home/conf.d" \
    RABBITMQ_ADVANCED_CONFIG_FILE="$home/none.config" RABBITMQ_ENABLED_PLUGINS_FILE="$home/enabled_plugins" "$RABBITMQ"
}

set_rabbitmq_environment() { # set_rabbitmq_environment NUMBER|"": sets $home and $environment
  home=$dir/rabbitmq$1
  environment=("${in_release[@]}" env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME="$home" ERL_EPMD_PORT="$DEV_EPMD_PORT"
    ERL_EPMD_ADDRESS=127.0.0.1 RABBITMQ_NODENAME="guildhall-$stack$1@localhost" RABBITMQ_CONF_ENV_FILE="$home/none")
}

configure_rabbitmq() { # with $number and $home of start_rabbitmq
  local port=DEV_RABBITMQ${number}_PORT other=""
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
  # A node without data joins the first node. The first node, when a drill has deleted its data, joins the second.
  if [[ -n $number ]]; then other=guildhall-$stack@localhost; elif is_running rabbitmq2; then other=guildhall-${stack}2@localhost; fi
  if [[ -z $other ]]; then return; fi
  cat >>"$home/rabbitmq.conf" <<TEXT
cluster_formation.peer_discovery_backend = classic_config
cluster_formation.classic_config.nodes.1 = $other
cluster_formation.classic_config.nodes.2 = guildhall-$stack$number@localhost
TEXT
}

run_rabbitmq_tool() { # run_rabbitmq_tool PROGRAM ARGUMENT…
  local home environment
  set_rabbitmq_environment ""
  "${environment[@]}" "${RABBITMQ%/*}/$1" --quiet "${@:2}"
}
