# ./dev lint: checks that read the code, and the files that are generated from it. dev.d/test.sh runs the code.

# The steps of ./dev lint in their order, as in TEST_STEPS.
LINT_STEPS=(
  "cargo fmt --all --check" "cargo fmt --check"
  check_shell_scripts       "shellcheck"
  dev.d/import-circles      "no import circles"
  check_length_of_files     "no file over 300 lines"
  check_committed_files     "no output of a build is committed"
  check_mutations           "the mutations apply to the sources"
  check_lints               "cargo clippy, and the queries against the migrated database"
  "env RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --locked --quiet" "cargo doc without warnings"
  check_clients             "the OpenAPI document and the clients"
  "web generate"            "the SDK of the pages"
  "web check"               "the pages of the site"
)

dev_lint() {
  { cargo clippy --version && cargo fmt --version; } >/dev/null 2>&1 || rustup component add clippy rustfmt ||
    die "This Rust toolchain has no clippy or rustfmt. Install them, then run this command again."
  require_node
  require_venv
  require_package patch "inserts the defects of mutations"
  require_package shellcheck "checks shell scripts"
  start_test_servers
  run_steps "${LINT_STEPS[@]}"
  say "no lint has found anything"
}

check_shell_scripts() {
  # The loop of ./dev that sources dev.d/ becomes one command for each file, which shellcheck follows.
  sed "s|^for file in dev.d/.*|$(printf 'source %s; ' dev.d/*.sh)|" dev | shellcheck --external-sources --check-sourced -
  shellcheck --norc dev.d/{enter-root,npm-packages,units-namespace} clients/sdk deploy/backup
}

check_length_of_files() {
  local long_files
  long_files=$(find . \( -path ./clients -o -name target -o -name node_modules -o -name '.?*' \) -prune -o -name '*.rs' -exec wc -l {} + |
    awk '$2 != "total" && $1 > 300')
  [[ -z $long_files ]] || die "These files have more than 300 lines. Split them:" "$long_files"
}

check_committed_files() {
  local files
  files=$(git ls-files --cached --ignored --exclude-standard) || return 0 # not a repository
  [[ -z $files ]] || die "These files are committed, although .gitignore names them. Remove them:" "$files"
}

check_lints() {
  lint -D warnings
  diff -rqN .sqlx "$dir/sqlx" || die "A query or the schema has changed. Run ./dev sqlx and commit .sqlx/."
}

# Clippy with the macros of sqlx connected to a freshly migrated database. It writes to $dir/sqlx what belongs in .sqlx/.
# cargo cannot see that the database has changed. A --cfg with a new name makes it check our crates again.
lint() { # lint CLIPPY-ARGUMENT…
  local file migrations=()
  for file in migrations/*.sql workers/src/engine/throughput/batches.sql; do migrations+=(-f "$file"); done
  rm -rf "$dir/sqlx"
  mkdir "$dir/sqlx"
  sql postgres -q -c 'drop database if exists sqlx' -c 'create database sqlx'
  sql sqlx -q1 "${migrations[@]}"
  DATABASE_URL=${GUILDHALL_DATABASE_URL%/*}/sqlx SQLX_OFFLINE=false SQLX_OFFLINE_DIR=$dir/sqlx \
    cargo clippy --workspace --all-targets --locked -- "$@" --cfg "checked_$(date +%s%N)"
}

dev_sqlx() {
  start_test_servers
  lint --cap-lints=warn
  if diff -rqN .sqlx "$dir/sqlx" >/dev/null; then return; fi
  rm -rf .sqlx
  cp -r "$dir/sqlx" .sqlx
  touch -c {api,common,workers}/src/{lib,main}.rs # cargo does not watch .sqlx
}

dev_document() {
  export GUILDHALL_RENEW_DOCUMENT=yes
  cargo test --quiet --locked --workspace --test it -- contract::
  cargo test --quiet --locked --workspace --test system -- openapi:: documents::configuration::the_tables access::matrix::the_access
  cargo test --quiet --locked --workspace --lib --bins the_help_file
}

# Checks of the dependencies. They are not part of ./dev lint, because the tools take minutes to build.
dev_audit() {
  install_cargo_tool cargo-machete 0.9.2
  install_cargo_tool cargo-deny 0.20.2
  run_steps "cargo machete --skip-target-dir ." "cargo machete: unused dependencies" \
    "cargo deny --config dev.d/deny.toml check bans licenses sources" "cargo deny: duplicates, licenses and sources"
}
