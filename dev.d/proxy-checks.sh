# The checks of a proxy in front of the site. $proxy of check_proxies is its name.

check() { expect "$proxy: $1" "$2" "$3"; } # check TEXT PATTERN FOUND

# A request to a site of the proxy: `localhost` (the api), `www.example.org` (the pages) or `pix.example.org` (the bank).
ask() { # ask NAME PATH [CURL-ARGUMENT…]
  curl --noproxy '*' -sS -m 120 --http1.1 --path-as-is --cacert "$dir/tls/site-authority.pem" --resolve "$1:$DEV_PROXY_PORT:127.0.0.1" \
    -H 'Content-Type: application/json' -H Expect: "${@:3}" "https://$1:$DEV_PROXY_PORT$2"
}
status_of() { ask "$@" -o /dev/null -w '%{http_code}\n'; }
header_of() { ask www.example.org "$2" -f -o /dev/null -w "%header{$1}"; } # header_of HEADER PATH: of a successful response
# authorize ROLE: prints the header of a request with an access token
authorize() { echo "Authorization: Bearer $(log_in "https://localhost:$DEV_PROXY_PORT" "$1" --cacert "$dir/tls/site-authority.pem")"; }

# A long poll without a delivery. It lasts as long as the api allows.
poll() {
  ask localhost '/game/deliveries?wait=30' -H "Authorization: Bearer $(credentials game | cut -d' ' -f2)" -o /dev/null \
    -w '%{http_code} %{time_total}\n'
}

check_paths() {
  local path
  check "it offers HTTP/2 to clients" 2 "$(ask localhost /guilds/1/1 --http2 -o /dev/null -w '%{http_version}')"
  check_health_is_hidden localhost ""
}

# The health checks and the metrics have a port of their own. No form of their paths leads there.
check_health_is_hidden() { # check_health_is_hidden NAME PREFIX
  local path form found
  for path in metrics healthz readyz; do
    for form in "/$path" "//$path" "/./$path" "/x/../$path" "/%${HEX[$path]}${path:1}" "/%25${HEX[$path]}${path:1}" "/$path?x" "/$path#a" \
      "/$path/" "/${path^^}" "/$path%00" "/$path;x" "/$path%0a" "/$path%0d%0a" "/%0a$path" "/$path%20" "/docs/..%2f$path"; do
      found=$(ask "$1" "$2$form" -w '%{http_code}')
      check "$2$form is hidden" '!(*guildhall_*|*\"ok\"*|*\"queue\":*)[2345]??' "$found"
    done
  done
}
declare -A HEX=([metrics]=6d [healthz]=68 [readyz]=72) # the first letter of each

# The pages of the site and the API on one origin.
check_pages_behind_proxy() {
  local index script path
  index=$(ask www.example.org /)
  script=$(grep -Po 'src="\K/assets/[^"]+\.js(?=")' <<<"$index")
  check "pages have their policy" "default-src 'none'; script-src 'self';*" "$(header_of content-security-policy /)"
  check "a browser asks whether index.html has changed" no-cache "$(header_of cache-control /)"
  [[ $(ask www.example.org /guilds/Amber%20Circle) == "$index" ]] || die "$proxy: an address without a file is not a page."
  check "a program that shows link previews gets the one of a guild" '*property="og:title" content="Amber Circle"*' \
    "$(ask www.example.org /guilds/Amber%20Circle -A 'Mozilla/5.0 (compatible; Discordbot/2.0)')"
  check "a file with a hash in its name stays in the caches of browsers" '*max-age=31*' "$(header_of cache-control "$script")"
  check "a picture for posts stays there for an hour" max-age=3600 "$(header_of cache-control /pictures/proxies.svg)"
  check "it has its type" image/svg+xml "$(header_of content-type /pictures/proxies.svg)"
  for path in /assets/missing.js /pictures/missing.svg; do
    check "$path is not replaced by a page" 404 "$(status_of www.example.org $path)"
  done
  check "the API is below /api/" '*items*200' "$(ask www.example.org /api/guilds/1/1 -w '%{http_code}')"
  check_health_is_hidden www.example.org /api
  # A program that shows link previews may send line ends.
  status_of www.example.org /guilds/a%0d%0aX -A Discordbot >/dev/null
  status_of www.example.org /news/a%0a -A Discordbot >/dev/null
}

# The api of this check accepts one registration per hour and address. Each proxy has other addresses.
check_client_address() {
  local -A networks=([nginx]=127.0.1 [caddy]=127.0.2 [haproxy]=127.0.3)
  local network=${networks[$proxy]}
  check "the api knows the client's address, and ignores a forged one" "201 429 201 " \
    "$(register "$network.1" 198.51.100.1 one)$(register "$network.1" 198.51.100.2 two)$(register "$network.2" 198.51.100.1 three)"
}

register() { # register SOURCE FORGED NAME
  ask localhost /accounts/register --interface "$1" -H "X-Forwarded-For: $2" -H "Forwarded: for=$2" -o /dev/null -w '%{http_code} ' \
    -d "{\"name\": \"$proxy$3\", \"email\": \"$proxy$3@example.org\", \"password\": \"a password of a test\"}"
}

check_bodies() {
  local editor player
  editor=$(authorize editor)
  player=$(authorize player)
  check "a body of 30 KB arrives" '*201' "$(post 30000 "{title: \"From $proxy\", body: .}" /news/create "$editor")"
  check "a logo of 1 MiB arrives" '*request_id*4[02]?' "$(post 1398100 '{guild_id: 1, image: .}' /guild/change-logo "$player")"
  check "a body of 1.5 MB is refused" '*413' "$(post 1500000 '{title: "Long", body: .}' /news/create "$editor")"
}

post() { # post SIZE JQ-FILTER PATH HEADER: prints the response and its status
  head -c "$1" /dev/zero | tr '\0' A | jq -R "$2" | ask localhost "$3" -H "$4" -d @- -w '%{http_code}'
}

check_webhook() {
  local bank=(--cert "$dir/tls/bank-with-key.pem") forged=(-H 'X-Client-Verify: SUCCESS') refused='@(4?? 0|000 @(35|52|55|56))'
  check "a notification with the bank's certificate is accepted" "200 0" "$(notify pix.example.org "${bank[@]}")"
  check "the bank's name serves only the webhook" '40[34]' "$(status_of pix.example.org /guilds/1/1 "${bank[@]}")"
  check "a forged header with the result of the verification is removed" "401 0" "$(notify localhost "${forged[@]}")"
  check "a notification without a certificate is refused" "$refused" "$(notify pix.example.org "${forged[@]}")"
  check "a notification with the certificate of a stranger is refused" "$refused" \
    "$(notify pix.example.org "${forged[@]}" --cert "$dir/tls/stranger-with-key.pem")"
  check "the bank's name in the Host header alone is refused" "$refused" "$(notify localhost "${forged[@]}" -H 'Host: pix.example.org')"
}

notify() { # notify NAME CURL-ARGUMENT…: prints the status, and the exit code of curl, which names errors of TLS
  ask "$1" "/payments/instant/webhook/pix?secret=$GUILDHALL_PIX_WEBHOOK_SECRET" -d '{"pix": []}' "${@:2}" -o /dev/null \
    -w '%{http_code} %{exitcode}' 2>/dev/null
}

# The stream of a payment is quiet for a while before the bank's notification comes through the proxy.
check_payment() {
  local player payment events="$dir/watch.log" deadline
  player=$(authorize player)
  payment=$(ask localhost /payments/instant/qrcode -f -H "$player" -d '{"package_id": 1}')
  start_background watch
  sleep 20 # longer than each time limit of a slow request, shorter than each one of an idle response
  kill -0 "${background[watch]}" || die "$proxy: the event stream does not stay open for 20 s: $(<"$events")"
  check "an event stream stays open for 20 s" 'HTTP/1.1 200*' "$(head -n1 "$events")"
  check "it is not buffered, so it has comments" '[2-9]' "$(grep -c '^:' "$events")"
  jq '{payload: .result.payload}' <<<"$payment" |
    curl -fsS -o /dev/null "http://$GUILDHALL_SANDBOX_LISTEN/sandbox/pay" -H 'Content-Type: application/json' -d @-
  deadline=$((SECONDS + 10))
  until grep -qxE 'event: paid\s*' "$events"; do
    ((SECONDS < deadline)) || die "$proxy: the event stream does not report the payment within 10 s: $(<"$events")"
    sleep 0.1
  done
  say "ok: $proxy: the event stream reports the payment"
}

watch() { ask localhost "/payments/$(jq -r .result.payment_id <<<"$payment")/events" -H "$player" -N -i; } # with the variables above
