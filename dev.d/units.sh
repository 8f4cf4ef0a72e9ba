# shellcheck shell=bash
# The part of ./dev deploy for deploy/systemd/: the texts of the units, and their services under a systemd of their own.

UNITS=(guildhall-api.service guildhall-workers.service guildhall-migrate.service)

# systemd compares the units with the files of a root folder, so nothing is installed on this machine.
check_unit_files() {
  local folder=$dir/units exposure problems
  rm -rf "$folder"
  mkdir -p "$folder"/{etc/systemd,usr/local/bin,lib/systemd}
  cp -r /lib/systemd/system "$folder/lib/systemd"
  cp -r deploy/systemd "$folder/etc/systemd/system"
  cp "$target"/debug/guildhall-{api,workers} "$folder/usr/local/bin"
  problems=$(systemd-analyze verify --root="$folder" --man=no "${UNITS[@]}" 2>&1) || true
  [[ -z $problems ]] || die "systemd-analyze verify:" "$problems"
  say "ok: systemd-analyze verify finds nothing"
  exposure=$(systemd-analyze security --root="$folder" --offline=true --threshold=20 --no-pager "${UNITS[@]}") ||
    die "$(grep -e '✗' -e Overall <<<"$exposure")" "systemd-analyze security: an exposure is above 2.0."
  grep -o 'guildhall-.*: [0-9.]*' <<<"$exposure" | while read -r line; do say "ok: exposure of $line"; done
  rm -rf "$folder"
}

check_units_start() {
  if ((EUID != 0)) || ! unshare --mount --pid --fork --cgroup true 2>/dev/null; then
    say "skipped: only root, with namespaces, can start the units under systemd"
    return
  fi
  write_unit_settings
  stop_processes api workers
  start_process systemd dev.d/units-namespace "$target/debug" "$dir/settings" "$dir/systemd.log"
  wait_until_ready systemd systemctl_inside is-active basic.target
  systemctl_inside start guildhall-api.service guildhall-workers.service
  wait_until_ready systemd responds "$GUILDHALL_API_LISTEN" /readyz
  wait_until_ready systemd responds "$GUILDHALL_WORKERS_LISTEN" /readyz
  [[ $(property_of guildhall-migrate.service ActiveState) == active ]] || die "guildhall-migrate.service is not active."
  check_restrictions guildhall-api.service
  check_restrictions guildhall-workers.service
  docs/check --stack "${dir#"$PWD"/.dev/}"
  check_operator_commands
  check_restart guildhall-api.service
  check_stop guildhall-api.service
  check_stop guildhall-workers.service
  check_late_database
  stop_units
}

# The settings of the stack, in the files that the units read. The fake bank does not check the certificate, and the
# mail catcher does not check signatures: both files show that the workers can read them.
write_unit_settings() {
  rm -rf "$dir/settings"
  mkdir "$dir/settings"
  env | grep -E '^GUILDHALL_(DATABASE|AMQP|REDIS)_URL=' >"$dir/settings/servers.env"
  env | grep -E '^GUILDHALL_(SECRET|API_LISTEN|PIX_WEBHOOK_SECRET|WEBHOOK_SECRETS)=' >"$dir/settings/api.env"
  printf 'GUILDHALL_CAPTCHA=altcha\nGUILDHALL_CAPTCHA_AT=recovery\n' >>"$dir/settings/api.env"
  env | grep -E '^GUILDHALL_(WORKERS_LISTEN|SMTP_URL|MAIL_FROM|MAIL_SECRET|SITE_URL|PIX_(KEY|URL|TOKEN_URL|CLIENT_ID|CLIENT_SECRET))=' >"$dir/settings/workers.env"
  cp "$dir/tls/bank-with-key.pem" "$dir/settings/bank.pem"
  openssl genrsa -traditional -out "$dir/settings/dkim.pem" 2048 2>/dev/null
}

inside() { nsenter --target "$(pgrep -P "$(pid_of systemd)")" --mount --pid "$@"; } # inside COMMAND…: with the systemd of the units

systemctl_inside() { inside systemctl --no-pager "$@"; }

property_of() { systemctl_inside show --value --property "$2" "$1"; } # property_of UNIT PROPERTY

check_restrictions() { # check_restrictions UNIT
  local pid
  pid=$(process_of "$1")
  grep -qx 'NoNewPrivs:[[:space:]]1' "/proc/$pid/status" || die "$1 can get new privileges."
  grep -qx 'Seccomp:[[:space:]]2' "/proc/$pid/status" || die "$1 has no filter of system calls."
  grep -qx 'CapEff:[[:space:]]0*' "/proc/$pid/status" || die "$1 has capabilities."
  [[ $(stat -c %u "/proc/$pid") != 0 ]] || die "$1 runs as root."
  [[ $(property_of "$1" NRestarts) == 0 ]] || die "$1 was restarted."
  say "ok: $1 runs as the user $(stat -c %u "/proc/$pid"), without capabilities, with $(grep -Po 'Seccomp_filters:\s\K.*' "/proc/$pid/status") filters of system calls"
}

# The main process, with its pid outside of the namespace.
process_of() { # process_of UNIT
  head -n1 "/proc/$(pgrep -P "$(pid_of systemd)")/root/sys/fs/cgroup/system.slice/$1/cgroup.procs"
}

check_restart() { # check_restart UNIT
  local before
  before=$(process_of "$1")
  kill -KILL "$before"
  wait_until_ready systemd has_other_process "$1" "$before"
  wait_until_ready systemd responds "$GUILDHALL_API_LISTEN" /readyz
  say "ok: $1 was killed and has started again"
}

has_other_process() { [[ $(process_of "$1") != "$2" ]]; } # has_other_process UNIT PID

check_operator_commands() {
  run_as_operator queues guildhall-workers queues
  grep -q '^guildhall' "$dir/queues.log" || die "guildhall-workers queues lists no queue: $(<"$dir/queues.log")"
  # shellcheck disable=SC2016 # systemd replaces the variable
  run_as_operator register -p EnvironmentFile=/etc/guildhall/api.env -p LoadCredential=bank.pem:/etc/guildhall/bank.pem \
    env 'GUILDHALL_PIX_CERTIFICATE=${CREDENTIALS_DIRECTORY}/bank.pem' \
    guildhall-workers register-webhook "http://$GUILDHALL_API_LISTEN/payments/instant/webhook"
  say "ok: systemd-run starts commands of an operator"
}

# As deploy/README.md has it, but without --pipe --wait, which need D-Bus.
run_as_operator() { # run_as_operator LOG ARGUMENT-OF-SYSTEMD-RUN…
  inside systemd-run --quiet --service-type=oneshot -p DynamicUser=yes -p EnvironmentFile=/etc/guildhall/servers.env \
    -p EnvironmentFile=/etc/guildhall/workers.env -p StandardOutput="file:$dir/$1.log" "${@:2}" ||
    die "A command of an operator failed: ${*:2}" "$(tail -n 5 "$dir/$1.log" "$dir/systemd.log")"
}

# The machine boots, and Postgres is ready later than the units.
check_late_database() {
  stop_processes postgres
  systemctl_inside stop guildhall-migrate.service
  systemctl_inside start guildhall-api.service guildhall-workers.service
  [[ $(property_of guildhall-migrate.service ActiveState) != active ]] || die "The migration needs no database."
  start_postgres
  wait_until_ready postgres is_postgres_ready
  wait_until_ready systemd systemctl_inside is-active guildhall-migrate.service
  wait_until_ready systemd responds "$GUILDHALL_API_LISTEN" /readyz
  wait_until_ready systemd responds "$GUILDHALL_WORKERS_LISTEN" /readyz
  say "ok: the services start before Postgres, and are ready after it"
}

check_stop() { # check_stop UNIT
  local start=$SECONDS
  systemctl_inside stop "$1"
  [[ $(property_of "$1" Result) == success ]] || die "$1 did not stop cleanly: $(property_of "$1" Result)"
  say "ok: $1 stopped cleanly after $((SECONDS - start)) s"
}

stop_units() {
  local pid cgroup
  pid=$(pid_of systemd) || return 0
  kill -KILL "$pid" # with it ends everything in its namespaces
  rm -f "$dir/systemd.pid"
  cgroup=$(findmnt --noheadings --output TARGET --types cgroup2 | head -n1)/guildhall-$pid
  while grep -qx "populated 1" "$cgroup/cgroup.events"; do sleep 0.1; done
  find "$cgroup" -depth -type d -exec rmdir {} +
}
