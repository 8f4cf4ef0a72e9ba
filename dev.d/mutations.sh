# ./dev mutations: each patch of tests/drills/mutations/ inserts a defect. A drill or a system test ("Test:") of the defective build
# must find it, by each check that the patch names ("Caught as:").

dev_mutations() { # dev_mutations [NAME…]
  local patches=("$MUTATIONS"/*.patch) patch mutant=$PWD/.dev/mutant missed=()
  require_package patch "inserts the defects"
  install_missing
  if (($#)); then patches=("${@/#/$MUTATIONS/}") && patches=("${patches[@]/%/.patch}"); fi
  remove_mutant
  mkdir -p "$mutant"
  # -m: the files are newer than the build of an earlier run, which may have had a defect. Otherwise cargo would use that build.
  git archive HEAD | tar -xm -C "$mutant"
  say "$(git describe --always), ${#patches[@]} mutations"
  check_without_mutation "${patches[@]}"
  for patch in "${patches[@]}"; do run_mutation "$patch"; done
  remove_mutant
  ((${#missed[@]} == 0)) || die "Not found: ${missed[*]}"
}

# A test that fails without the defect finds nothing.
check_without_mutation() { # check_without_mutation PATCH…, with $mutant of dev_mutations
  local tests log=.dev/mutation-none.log
  mapfile -t tests < <(sed -n 's/^Test: //p' "$@" | sort -u)
  ((${#tests[@]})) || return 0
  in_mutant "${SYSTEM_TESTS[@]}" "${tests[@]}" >"$log" 2>&1 || die "One of these tests fails without a defect; see $log:" "${tests[@]}"
  say "without a defect: $(grep '^test result: ' "$log")"
}

remove_mutant() { # with what a killed drill has left
  (dir=$mutant/.dev/drill stop_drill)
  rm -rf "$mutant"
}

SYSTEM_TESTS=(cargo-test -p guildhall-tests --test system --)

in_mutant() { (cd "$mutant" && DRILL_PROFILE=debug CARGO_TARGET_DIR=$mutant/../mutant-target ./dev "$@"); } # in_mutant ARGUMENT…

# A system test, if the patch names one, or a drill.
run_mutation() { # run_mutation PATCH, with $mutant and $missed of dev_mutations
  local name log expected line run
  name=$(basename "$1" .patch) log=.dev/mutation-$name.log
  mapfile -t expected < <(sed -n 's/^Caught as: //p' "$1")
  eval "run=(drill $(sed -n 's/^Drill: //p' "$1"))"
  case ${run[1]:-} in
    rotate | mails) ;;
    *) run+=(--cells 24 --rate 150) ;;
  esac
  if grep -q '^Test: ' "$1"; then run=("${SYSTEM_TESTS[@]}" "$(sed -n 's/^Test: //p' "$1")"); fi
  apply_patch -d "$mutant" <"$1"
  if in_mutant "${run[@]}" >"$log" 2>&1; then
    missed+=("$name")
    say "$name: not found"
  else
    for line in "${expected[@]}"; do
      if grep -qE "^$line" "$log"; then
        say "$name: $(grep -E "^$line" "$log" | head -n1 | cut -c1-160)"
      else
        missed+=("$name ($line)")
        say "$name: not found as \"$line\"; see $log"
      fi
    done
  fi
  apply_patch -R -d "$mutant" <"$1"
}

# Without fuzz: a patch that applies only roughly may not be removed in the same way.
apply_patch() { patch -s -F0 -p1 "$@"; }

check_mutations() {
  local patch
  for patch in "$MUTATIONS"/*.patch; do
    apply_patch --dry-run <"$patch" || die "$patch does not apply to the sources any more. Create it again."
    grep -q '^Caught as: ' "$patch" || die "$patch does not name the check that finds it."
  done
}
