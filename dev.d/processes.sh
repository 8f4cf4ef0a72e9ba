# The processes of a stack: $dir has the pid and the log of each. Functions of this script can run beside others, too.

# A zombie keeps its ports while one of its threads ends.
start_time_of() { # start_time_of PID: in clock ticks since boot; fails for a process that has ended or is a zombie without threads
  local stat
  { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
  read -ra stat <<<"${stat##*) }"
  [[ ${stat[0]:-Z} != Z ]] || ((${stat[17]:-0} > 1)) && echo "${stat[19]}" # empty if the process ends meanwhile
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
  local name=$1 deadline=$((SECONDS + 90))
  shift
  until "$@" >/dev/null 2>&1; do
    if ! is_running "$name" || ((SECONDS > deadline)); then
      die "The end of $dir/$name.log:" "$(tail -n 25 "$dir/$name.log")" "$name has stopped, or is not ready after 90 s."
    fi
    sleep 0.2
  done
  say "$name is ready"
}

wait_for() { # wait_for NAME…: until each of these responds; $health is the path for an api or a worker, if it is not /readyz
  local name port
  for name in "$@"; do
    port=DEV_${name^^}_PORT
    case $name in
      api*)
        port=DEV_${name^^}_HEALTH_PORT
        # Version 0.3.0 has its health checks at the port of the API.
        if [[ ${DRILL_PROFILE:-} == release-0.3.0/* ]]; then port=DEV_${name^^}_PORT; fi
        wait_until_ready "$name" responds "127.0.0.1:${!port}${health:-/readyz}"
        ;;
      workers*) wait_until_ready "$name" responds "127.0.0.1:${!port}${health:-/readyz}" ;;
      postgres) wait_until_ready postgres postgres_program pg_isready ;;
      rabbitmq*) wait_until_ready "$name" is_amqp_ready "${!port}" ;;
      *) wait_until_ready "$name" is_port_open "${!port}" ;;
    esac
  done
}

responds() { curl -fsS -m 5 "http://$1"; } # responds ADDRESS/PATH

stop_processes() { # stop_processes NAME…: sends a signal to all of them, and SIGKILL after 20 s
  local name pid signal
  for name in "$@"; do
    pid=$(pid_of "$name") || continue
    say "stopping $name"
    signal=TERM
    if [[ $name == postgres ]]; then # SIGTERM would wait for the last client to disconnect
      # shellcheck disable=SC2046 # a drill may have frozen it, with its children
      kill -CONT "$pid" $(<"/proc/$pid/task/$pid/children") || true
      signal=INT
    fi
    kill -$signal "$pid"
  done
  for name in "$@"; do
    for _ in {1..200}; do is_running "$name" || break; sleep 0.1; done
    if pid=$(pid_of "$name"); then kill -KILL "$pid"; fi
    rm -f "$dir/$name.pid"
  done
}

stop_stack() {
  stop_processes haproxy nginx api api2 workers workers2 workers3 workers4 floor sandbox postfix
  stop_processes rabbitmq rabbitmq2 rabbitmq3 postgres redis
  stop_processes epmd
}

declare -A background=() # the pid of each, which is also the id of its process group

start_background() { # start_background FUNCTION ARGUMENT…: its output is in $dir/FUNCTION ARGUMENT….log
  set -m # a process group of its own
  "$@" >"$dir/$*.log" 2>&1 &
  background["$*"]=$!
  set +m
}

finish_background() { # finish_background NUMBER FUNCTION ARGUMENT…: prints as many lines of the end of its output
  local name=${*:2}
  wait "${background[$name]}" || die "$(<"$dir/$name.log")" "$name has failed."
  unset "background[$name]"
  sed '/is ready$/d' "$dir/$name.log" | tail -n "$1"
}

stop_background() { # after the failure of another function
  local pid
  for pid in "${background[@]}"; do kill -TERM -- "-$pid" 2>/dev/null || true; done
  background=()
}
