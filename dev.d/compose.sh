# ./dev compose: the site in containers (docker-compose.yml).

dev_compose() {
  [[ $* =~ ^(init|init --sandbox|test)$ ]] || wrong_usage
  case $1 in
    init) init_compose .env "${@:2}" ;;
    test) test_compose ;;
  esac
}

# Adds the variables that the file does not have or leaves empty. A repeated call changes nothing.
init_compose() { # init_compose FILE [--sandbox]
  local file=$1 values=(POSTGRES_PASSWORD "$(random_hex)" RABBITMQ_PASSWORD "$(random_hex)" REDIS_PASSWORD "$(random_hex)"
    GUILDHALL_SECRET "$(random_base64 48)" GUILDHALL_MAIL_SECRET "$(random_base64 48)")
  if [[ ${2:-} == --sandbox ]]; then
    values+=(COMPOSE_PROFILES sandbox GUILDHALL_PIX_KEY "$SANDBOX_PIX_KEY" GUILDHALL_PIX_URL http://sandbox:8082/api/v2
      GUILDHALL_PIX_TOKEN_URL http://sandbox:8082/oauth/token GUILDHALL_PIX_CLIENT_ID guildhall
      GUILDHALL_PIX_CLIENT_SECRET "$(random_hex)" GUILDHALL_PIX_WEBHOOK_SECRET "$(random_hex)"
      GUILDHALL_SMTP_URL 'smtp://sandbox:8025?tls=none' GUILDHALL_MAIL_FROM noreply@example.org
      GUILDHALL_SITE_URL http://localhost:8088)
  fi
  mkdir -p pictures # Docker would create it for root
  (umask 077 && touch "$file")
  set -- "${values[@]}"
  while (($#)); do
    if ! grep -q "^$1=.*[^[:space:]]" "$file"; then
      sed --in-place --follow-symlinks -e "/^$1=/d" -e '$a\' "$file" # removes an empty value, and completes the last line
      printf '%s=%s\n' "$1" "$2" >>"$file"
    fi
    shift 2
  done
  say "$file has the passwords and the secret. Keep it: the data needs the same passwords and the same secret."
}

# The site as README starts it, under another project name and on other ports. Containers are killed under load, removed
# and started again; nothing may be lost.
test_compose() {
  lock_stack compose
  require_package jq "reads responses"
  require_package binutils "reads the lists of dependencies" command -v objcopy
  install_required
  # Compose prefers the environment to the file: settings of this shell and of an earlier run would replace those of this run.
  unset "${!GUILDHALL_@}" "${!COMPOSE_@}" POSTGRES_PASSWORD RABBITMQ_PASSWORD REDIS_PASSWORD SANDBOX_PORT
  export COMPOSE_PROJECT_NAME=guildhall-test COMPOSE_ENV_FILES=$dir/env
  begin_stack stop_compose
  start_engine
  provide_images
  choose_ports
  printf '%s\n' "GUILDHALL_PORT=$DEV_API_PORT" "SANDBOX_PORT=$DEV_SANDBOX_PORT" "GUILDHALL_SITE_PORT=$DEV_NGINX_PORT" \
    "GUILDHALL_API_LISTEN=127.0.0.1:$DEV_API_PORT" "GUILDHALL_SANDBOX_LISTEN=127.0.0.1:$DEV_SANDBOX_PORT" >"$dir/env"
  init_compose "$dir/env" --sandbox
  docker compose down --volumes --remove-orphans # volumes of an earlier run have other passwords
  say "building the images"
  docker compose build
  check_images
  docker compose up --detach --wait --wait-timeout 300
  say "loading the demo community"
  docker compose run --rm workers guildhall-workers demo | tee "$dir/credentials"
  docker compose run --rm register-webhook
  say "the commands of README and TUTORIAL"
  check_documents
  check_pages_container
  check_kills
  say "docker compose has passed"
}

# The images are small, have no shell, and list the dependencies of each binary.
check_images() {
  local image size container binary count
  for image in $(docker compose config --images | grep guildhall | sort -u); do
    size=$(docker image inspect --format '{{.Size}}' "$image")
    ((size <= 60000000)) || die "$image has $size bytes, more than 60 MB."
    if docker run --rm --entrypoint sh "$image" -c true 2>/dev/null; then die "$image has a shell."; fi
    say "$image has $((size / 1000000)) MB"
    container=$(docker create "$image")
    docker cp "$container:/bin/." "$dir/binaries" >/dev/null
    docker rm "$container" >/dev/null
  done
  for binary in "$dir"/binaries/guildhall-*; do
    count=$(objcopy --dump-section .dep-v0=/dev/stdout "$binary" /dev/null |
      python3 -c 'import json, sys, zlib; print(len(json.loads(zlib.decompress(sys.stdin.buffer.read()))["packages"]))')
    ((count > 100)) || die "${binary##*/} lists $count packages."
    say "${binary##*/} lists $count packages"
  done
}

stop_compose() {
  if docker info >/dev/null 2>&1; then
    docker compose logs --no-color >"$dir/containers.log" 2>&1 || true
    docker compose down --volumes --remove-orphans || true
  fi
  stop_processes dockerd
}

# The container of the pages accepts the client's address from a proxy with TLS in front of it, and serves the folder `pictures`.
check_pages_container() {
  local pages=http://127.0.0.1:$DEV_NGINX_PORT token
  token=$(log_in "$pages/api" player -H 'X-Forwarded-For: 198.51.100.7')
  expect "network of a client behind a proxy" 198.51.100.7 \
    "$(curl -fsS "$pages/api/accounts/sessions" -H "Authorization: Bearer $token" | jq -r '.sessions[0].network')"
  cp web/public/favicon.svg pictures/compose-test.svg
  curl -fsS "$pages/pictures/compose-test.svg" | cmp - web/public/favicon.svg
  rm pictures/compose-test.svg
  say "ok: a picture for posts"
}

# An administrator gives one coin to a player, again and again, each time with a new Idempotency-Key. A request without a final
# response is sent again with the same key. At the end the player has exactly as many coins more as there were requests.
check_kills() {
  local api=http://127.0.0.1:$DEV_API_PORT up=(docker compose up --detach --wait --wait-timeout 300)
  local player coins guilds client names started requests key operation
  for client in player admin; do log_in "$api" $client >"$dir/token.$client"; done
  player=$(call player /accounts/me | jq .account_id)
  coins=$(call player /accounts/me | jq .coins)
  guilds=$(call player /guilds/1/1 | jq .total)
  for client in {1..8}; do start_background give_coins "$client"; done
  for names in api workers rabbitmq postgres redis "api workers" "postgres rabbitmq redis"; do
    sleep 3
    started=$SECONDS
    # shellcheck disable=SC2086 # each word is an argument
    quietly docker compose kill $names
    quietly "${up[@]}"
    say "killed $names: all containers are healthy after $((SECONDS - started)) s"
  done
  sleep 3
  quietly docker compose restart
  touch "$dir/stop"
  for client in {1..8}; do finish_background 1 give_coins "$client" >/dev/null; done
  requests=$(awk '{ sum += $1 } END { print sum }' "$dir"/give_coins*.log)
  ((requests > 0)) || die "No request has succeeded."
  read -r _ key operation <"$dir/give_coins 1.log"
  coins=$((coins + requests))
  expect "coins" $coins "$(call player /accounts/me | jq .coins)"
  quietly docker compose down
  quietly "${up[@]}"
  expect "coins after down and up" $coins "$(call player /accounts/me | jq .coins)"
  expect "guilds after down and up" "$guilds" "$(call player /guilds/1/1 | jq .total)"
  expect "the operation of a repeated request" "$operation" "$(give_coin "$key")"
  expect "coins after the repeated request" $coins "$(call player /accounts/me | jq .coins)"
  say "$requests requests: none lost, none applied twice"
}

give_coins() { # give_coins CLIENT: until the end. Prints the number of requests, and the last one with its operation
  local count=0 key operation
  until [[ -e $dir/stop ]]; do
    key=$(</proc/sys/kernel/random/uuid)
    operation=$(give_coin "$key")
    count=$((count + 1))
  done
  echo "$count $key $operation"
}

give_coin() { # give_coin KEY, with $player of check_kills: prints the operation
  call admin /admin/coins/adjust -H "Idempotency-Key: $1" -d "{\"account_id\": $player, \"coins\": 1, \"reason\": \"a test\"}" |
    jq -er .operation_id
}

# Repeats a request until it has a final response, which must be a success, and prints that. Containers start within a minute.
call() { # call ROLE PATH [CURL-ARGUMENT…], with $api of check_kills
  local token=$dir/token.$1 response status deadline=$((SECONDS + 300))
  while true; do
    response=$(curl -s -m 40 -w '\n%{http_code}' -H 'Content-Type: application/json' \
      -H "Authorization: Bearer $(<"$token")" "${@:3}" "$api$2") || true
    status=${response##*$'\n'}
    case $status in
      200 | 201) break ;;
      401) log_in "$api" "$1" >"$token" 2>/dev/null || true ;;
      000 | 202 | 429 | 502 | 503 | 504) ;;
      *) die "$2: $response" ;;
    esac
    ((SECONDS < deadline)) || die "lost: $2 has no final response after 300 s, the last is $response"
    sleep 0.2
  done
  echo "${response%$'\n'*}"
}
