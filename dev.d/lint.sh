# shellcheck shell=bash
# ./dev lint: checks that read the code, and the files that are generated from it. dev.d/test.sh runs the code.

# The steps of ./dev lint in their order, as in TEST_STEPS.
LINT_STEPS=(
  check_format          "cargo fmt --check"
  check_shell_scripts   "shellcheck"
  check_layout          "no import circles, no file over 300 lines"
  check_mutations       "the mutations apply to the sources"
  check_lints           "cargo clippy, and the queries against the migrated database"
  check_rustdoc         "cargo doc without warnings"
  check_clients         "the OpenAPI document and the clients"
  check_pages           "the pages of the site"
)

run_all_lints() {
  require_lint_tools
  run_steps "${LINT_STEPS[@]}"
  say "no lint has found anything"
}

require_lint_tools() {
  if ! cargo clippy --version >/dev/null 2>&1 || ! cargo fmt --version >/dev/null 2>&1; then
    say "adding clippy and rustfmt to the Rust toolchain"
    rustup component add clippy rustfmt || die "This Rust toolchain has no clippy or rustfmt. Install them, then run this command again."
  fi
  require_node
  require_package python3-venv "checks the Python client" python3 -c 'import ensurepip, venv'
  start_test_servers shellcheck "checks shell scripts" command -v shellcheck
}

# ---- The steps --------------------------------------------------------------------------------

check_format() { cargo fmt --all --check; }

# The files of dev.d/ and drills/ are checked as parts of ./dev, which sources them.
check_shell_scripts() { shellcheck --external-sources --check-sourced dev clients/sdk deploy/backup dev.d/units-namespace dev.d/npm-packages; }

check_layout() {
  local long_files
  dev.d/import-circles
  long_files=$(find api bench common drills fuzz sandbox tests workers -name target -prune -o -name '*.rs' -exec wc -l {} + |
    awk '$2 != "total" && $1 > 300')
  [[ -z $long_files ]] || die "These files have more than 300 lines. Split them:" "$long_files"
}

check_lints() {
  lint -D warnings
  diff -rqN .sqlx "$dir/sqlx" || die "A query or the schema has changed. Run ./dev sqlx and commit .sqlx/."
}

check_rustdoc() { RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet; }

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

# ---- Generated files --------------------------------------------------------------------------

update_sqlx() {
  start_test_servers
  lint --cap-lints=warn
  if diff -rqN .sqlx "$dir/sqlx" >/dev/null; then return; fi
  rm -rf .sqlx
  cp -r "$dir/sqlx" .sqlx
  touch -c {api,common,workers}/src/{lib,main}.rs # cargo does not watch .sqlx
}

update_openapi_document() {
  GUILDHALL_RENEW_DOCUMENT=yes cargo test --quiet --locked -p guildhall-common --test it -- contract::
  GUILDHALL_RENEW_DOCUMENT=yes cargo test --quiet --locked -p guildhall-tests --test system -- \
    openapi:: documents::configuration::the_tables access::matrix::the_access
}
