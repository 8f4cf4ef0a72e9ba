# The part of ./dev deploy for the proxies: each one starts in front of the site, with the file of deploy/.

check_proxies() {
  local proxy
  start_site_behind_proxy
  mkdir -p web/dist/pictures
  cp web/public/favicon.svg web/dist/pictures/proxies.svg
  for proxy in nginx caddy haproxy; do
    check_proxy
    check_repetition
  done
}

# The api trusts one address of loopback: that from which the proxies connect. Clients with other addresses are strangers.
start_site_behind_proxy() {
  stop_processes api
  GUILDHALL_TRUSTED_PROXIES=127.0.0.1/32 GUILDHALL_PIX_WEBHOOK_CERTIFICATE_HEADER=X-Client-Verify GUILDHALL_DRAIN_SECONDS=3 \
    GUILDHALL_REGISTRATIONS_PER_HOUR=1 GUILDHALL_REQUESTS_PER_MINUTE=1000000 start_apps debug api workers
  # The fake bank has no TLS. This process forwards its notifications to the proxy with a client certificate.
  cat >"$dir/bank.cfg" <<TEXT
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
listen bank
    bind 127.0.0.1:$DEV_BANK_PORT
    http-request set-header Host pix.example.org
    server proxy 127.0.0.1:$DEV_PROXY_PORT ssl crt $dir/tls/bank-with-key.pem ca-file $dir/tls/site-authority.pem verify required \
        sni str(pix.example.org)
TEXT
  start_process bank haproxy -db -f "$dir/bank.cfg"
  wait_for bank
}

check_proxy() { # with $proxy of check_proxies
  local log=$dir/$proxy.log health_port=$DEV_API_HEALTH_PORT
  start_proxy "$GUILDHALL_API_LISTEN"
  # The bank calls the address before it accepts it, so the proxy must run.
  "$target/debug/guildhall-workers" register-webhook "http://127.0.0.1:$DEV_BANK_PORT/payments/instant/webhook"
  start_background poll
  check_paths
  if [[ $proxy != haproxy ]]; then check_pages_behind_proxy; fi # it serves no files
  check_client_address
  check_bodies
  check_webhook
  check_payment
  finish_background 1 poll
  check "a long poll is answered" '200 @(29|[3-9]?).*' "$(<"$dir/poll.log")"
  stop_background
  CURL_CA_BUNDLE=$dir/tls/site-authority.pem SSL_CERT_FILE=$dir/tls/site-authority.pem \
    check_documents --api "https://localhost:$DEV_PROXY_PORT" README.md
  stop_processes "$proxy"
  # Logs of requests have the webhook, but not its secret, which is in the query. Caddy logs no requests.
  if [[ $proxy == caddy ]]; then return; fi
  if [[ $proxy == nginx ]]; then
    log=$dir/nginx/access.log
    expect "no request writes lines of its own into the error log" "" "$(grep -vE '^[0-9]{4}/[0-9]{2}/[0-9]{2} ' "$dir/nginx/error.log")"
  fi
  grep -q '"POST /payments/instant/webhook' "$log" || die "$log has no request of the bank."
  if grep -q "$GUILDHALL_PIX_WEBHOOK_SECRET" "$log"; then die "$log has the secret of the webhook."; fi
  say "ok: ${log#"$dir/"} has the requests of the bank without their secret"
}

# A proxy never sends a POST twice. Two false apis answer GET, and close the connection after a POST without a response, as an api
# that is killed does.
check_repetition() { # with $proxy of check_proxies
  local requests=$dir/false-api.requests health_port=$DEV_FALSE_API_PORT key statuses
  cat >"$dir/false-api.conf" <<TEXT
pid $dir/false-api.nginx;
error_log stderr;
events {}
http {
    $(print_nginx_folders)
    log_format key '\$request_method \$http_idempotency_key';
    access_log $requests key;
    server {
        listen 127.0.0.1:$DEV_FALSE_API_PORT;
        listen 127.0.0.1:$DEV_FALSE_API2_PORT;
        if (\$request_method = POST) { return 444; }
        return 200;
    }
}
TEXT
  rm -f "$requests"
  start_process false-api nginx -c "$dir/false-api.conf" -g 'daemon off;'
  wait_until_ready false-api is_port_open "$DEV_FALSE_API2_PORT"
  start_proxy "127.0.0.1:$DEV_FALSE_API_PORT" "127.0.0.1:$DEV_FALSE_API2_PORT"
  wait_until_ready "$proxy" reaches_false_apis
  sleep 2 # until the proxy has noticed that both respond
  statuses=$(for key in {1..10}; do status_of localhost /guilds/1/1 -H "Idempotency-Key: $key" -d '{}'; done | sort -u)
  stop_processes "$proxy" false-api
  expect "$proxy: no POST has a response" '50[234]?(*50[234])' "$statuses"
  expect "$proxy: no POST is repeated after a broken connection" "" "$(grep '^POST' "$requests" | sort | uniq -d)"
  expect "$proxy: POSTs of ten that reached an api" '@([2-9]|10)' "$(grep -c '^POST' "$requests")"
}

reaches_false_apis() { [[ $(for _ in {1..4}; do status_of localhost /guilds/1/1; done | uniq) == 200 ]]; }

# Each proxy has one or two apis. The health checks of both are at $health_port.
start_proxy() { # start_proxy API [API], with $proxy of check_proxies and $health_port
  "start_${proxy}_in_front" "$@"
  say "ok: the configuration of $proxy is valid"
  wait_until_ready "$proxy" is_port_open "$DEV_PROXY_PORT"
}

start_nginx_in_front() {
  start_nginx "$1${2:+ fail_timeout=1s; server $2}" -e 's|api\.example\.org|localhost|' -e "s|listen 443|listen 127.0.0.1:$DEV_PROXY_PORT|"
}

start_caddy_in_front() {
  cp deploy/site.caddy "$dir/"
  adapt Caddyfile "$*" -e "s#^api\.example\.org#localhost#; s#^\(localhost\|[a-z]*\.example\.org\) {#\1:$DEV_PROXY_PORT {#" \
    -e "s|health_port 8083|health_port $health_port|; s|auto_https disable_redirects|&\n\tadmin off\n\tdefault_bind 127.0.0.1|" >"$dir/Caddyfile"
  HOME=$dir quietly caddy validate --config "$dir/Caddyfile" --adapter caddyfile
  HOME=$dir start_process caddy caddy run --config "$dir/Caddyfile" --adapter caddyfile
}

start_haproxy_in_front() {
  cat >"$dir/tls/certificates" <<TEXT
$dir/tls/site-with-key.pem localhost
$dir/tls/site-with-key.pem [ca-file $dir/tls/bank-authority.pem verify required] pix.example.org
TEXT
  export GUILDHALL_HAPROXY_LISTEN="127.0.0.1:$DEV_PROXY_PORT ssl crt-list $dir/tls/certificates alpn h2,http/1.1 strict-sni"
  export GUILDHALL_API_1=$1 GUILDHALL_API_2=${2:-127.0.0.1:1}
  export GUILDHALL_API_1_HEALTH_PORT=$health_port GUILDHALL_API_2_HEALTH_PORT=$health_port
  quietly haproxy -c -q -f deploy/haproxy.cfg
  # It runs as the user of this command, and logs into the file of the process.
  sed -E '/^    (user|group|chroot) /d; s|/dev/log local0|stdout format raw local0|' deploy/haproxy.cfg >"$dir/haproxy.cfg"
  start_process haproxy haproxy -db -f "$dir/haproxy.cfg"
}
