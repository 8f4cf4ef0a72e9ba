# shellcheck shell=bash
# The pages of the site: built from web/ by Node, and served by nginx on one origin with the API.

web_command() { # web_command test [--short] [NAME…] | screenshots
  case ${1:-} in
    test | screenshots) ;;
    *) die "./dev web test [--short] [FILE…]   test the pages in Chromium, on a site of their own; FILE is a name in web/tests/" \
      "./dev web screenshots             renew the pictures of pages in docs/images/" ;;
  esac
  require_node
  start_test_servers chromium "opens the pages" command -v chromium
  build_site debug
  case $1 in
    test) test_pages "${@:2}" ;;
    screenshots) renew_screenshots ;;
  esac
}

# The pages in a browser, on a fresh site. The short form leaves out the outages and most combinations of language and theme.
test_pages() { # test_pages [--short] [FILE…]
  local file files=()
  WEB_TESTS=all
  if [[ ${1:-} == --short ]]; then WEB_TESTS=short; shift; fi
  export WEB_TESTS
  files=("${@/%/.test.ts}")
  if ((!$#)); then
    for file in web/tests/*.test.ts; do [[ $WEB_TESTS == short && $file == *outages* ]] || files+=("${file##*/}"); done
  fi
  start_fresh_pages
  (cd web/tests && node --import tsx --test --test-concurrency=1 --test-reporter=spec "${files[@]}")
}

renew_screenshots() {
  start_fresh_pages
  (cd web/tests && node --import tsx screenshots.ts)
}

start_fresh_pages() {
  require_nginx
  install_required
  start_fresh_site
  build_web
  stop_processes nginx
  start_web
  export_example_environment
  export WEB_URL=http://localhost:$DEV_SITE_PORT WEB_CREDENTIALS=$dir/credentials
}

has_node() { (require_node) >/dev/null 2>&1; }

require_nginx() { PATH=$PATH:/usr/sbin && require_package nginx "serves the pages" command -v nginx; }

web() { # web COMMAND of web/package.json, after its packages are installed
  (
    cd web
    ../dev.d/npm-packages
    npm run --silent "$@"
  )
}

check_pages() {
  web generate
  web check
}

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

start_web() {
  if is_running nginx; then return; fi
  write_nginx_configuration
  start_process nginx nginx -c "$dir/nginx/nginx.conf" -g 'daemon off;'
  wait_until_ready nginx is_port_open "$DEV_SITE_PORT"
}

# nginx keeps temporary files in folders of the system, unless its configuration names others.
print_nginx_folders() {
  local kind
  for kind in client_body proxy fastcgi uwsgi scgi; do printf '%s_temp_path %s; ' "$kind" "$dir/nginx/$kind"; done
}

write_nginx_configuration() {
  local user=""
  mkdir -p "$dir/nginx"
  if ((EUID == 0)); then user="user $(id -un);"; fi # the usual user cannot enter a checkout under /root
  cat >"$dir/nginx/nginx.conf" <<TEXT
$user
worker_processes 1;
pid $dir/nginx/pid;
error_log $dir/nginx/error.log;
events { worker_connections 1024; }
http {
    include /etc/nginx/mime.types;
    access_log off;
    $(print_nginx_folders)
    client_max_body_size 1367k; # as in deploy/nginx.conf
    upstream apis {
        server 127.0.0.1:$DEV_API_PORT max_fails=0;
        keepalive 16;
    }
    proxy_http_version 1.1;
    proxy_read_timeout 60s;
    proxy_set_header Connection "";
    proxy_set_header Host \$http_host;
    proxy_set_header X-Forwarded-For \$remote_addr;
    server {
        listen 127.0.0.1:$DEV_SITE_PORT;
        root $PWD/web/dist;
        include $PWD/deploy/nginx-site.conf;
    }
}
TEXT
}
