# The pages of the site: built from web/ by Node, and served by nginx on one origin with the API.

dev_web() { # dev_web test [--short] [FILE…] | screenshots
  [[ ${1:-} == test || $* == screenshots ]] || wrong_usage
  require_node
  require_nginx
  require_package chromium "opens the pages"
  start_test_servers
  build_site debug
  if [[ $1 == test ]]; then test_pages "${@:2}"; return; fi
  start_fresh_pages
  run_in_browser screenshots.ts
}

# The pages in a browser, on a fresh site. The short form leaves out the outages and most combinations of language and theme.
test_pages() { # test_pages [--short] [FILE…]
  local file files=()
  export WEB_TESTS=all
  if [[ ${1:-} == --short ]]; then WEB_TESTS=short; shift; fi
  files=("${@/%/.test.ts}")
  if ((!$#)); then
    for file in web/tests/*.test.ts; do [[ $WEB_TESTS == short && $file == *outages* ]] || files+=("${file##*/}"); done
  fi
  start_fresh_pages
  run_in_browser --test --test-concurrency=1 --test-reporter=spec "${files[@]}"
}

run_in_browser() { (cd web/tests && node --import tsx "$@"); } # run_in_browser NODE-ARGUMENT…

start_fresh_pages() {
  stop_processes nginx
  start_fresh_site
  start_web
  export_example_environment
  export WEB_URL=http://localhost:$DEV_NGINX_PORT WEB_CREDENTIALS=$dir/credentials
}

has_node() { (require_node) >/dev/null 2>&1; }
require_nginx() { PATH=$PATH:/usr/sbin && require_package nginx "serves the pages"; }

# web COMMAND of web/package.json
web() { (cd web && ../dev.d/npm-packages && npm run --silent "$@"); }

# The build is skipped if nothing has changed since the last one.
build_web() {
  local stamp=web/dist/.built
  if [[ -f $stamp && -z $(find web docs/openapi.json -newer "$stamp" -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' \
    -not -path 'web/src/sdk/*' -not -path 'web/tests/*' -print -quit) ]]; then return; fi
  say "web: building the pages"
  web generate
  web build
  touch "$stamp"
}

# The site of deploy/nginx.conf without TLS. Its first server, the pages, gets the requests for each host name.
start_web() {
  build_web
  if is_running nginx; then return; fi
  start_nginx "127.0.0.1:$DEV_API_PORT" -e "/^ *ssl_/d; s|listen 443 .*|listen 127.0.0.1:$DEV_NGINX_PORT;|; s|[$]host;|\$http_host;|"
  wait_for nginx
}

# nginx with deploy/nginx.conf. It keeps temporary files in folders of the system, unless its configuration names others. Its usual
# user cannot enter a checkout under /root.
start_nginx() { # start_nginx API[; server API] SED-ARGUMENT…
  mkdir -p "$dir/tls"
  cp deploy/nginx-site.conf "$dir/tls/"
  adapt nginx.conf "$1" -e "s|^user .*|user $(id -un);|" -e "s|^http {|&\n$(print_nginx_folders)|" -e "s|/var/log/nginx|$dir/nginx|" \
    -e "s|/run/nginx.pid|$dir/nginx/pid|" "${@:2}" >"$dir/nginx/nginx.conf"
  quietly nginx -t -q -c "$dir/nginx/nginx.conf"
  start_process nginx nginx -c "$dir/nginx/nginx.conf" -g 'daemon off;'
}

print_nginx_folders() {
  local kind
  mkdir -p "$dir/nginx"
  for kind in client_body proxy fastcgi uwsgi scgi; do printf '%s_temp_path %s; ' "$kind" "$dir/nginx/$kind"; done
}

# A file of deploy/ with other folders and these addresses of apis.
adapt() { # adapt FILE APIS SED-ARGUMENT…
  sed -e "s|/var/www/guildhall|$PWD/web/dist|; s|/etc/guildhall|$dir/tls|g; s|127\.0\.0\.1:8080|$2|" "${@:3}" "deploy/$1"
}
