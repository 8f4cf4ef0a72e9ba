# shellcheck shell=bash
# ./dev mutations: each patch of drills/mutations/ inserts a defect. A drill or a system test ("Test:") of the defective build
# must find it, by each check that the patch names ("Caught as:").

run_mutations() { # run_mutations [NAME…]
  local patches=(drills/mutations/*.patch) patch mutant=$PWD/.dev/mutant missed=()
  require_patch_program
  if (($#)); then patches=("${@/#/drills/mutations/}") && patches=("${patches[@]/%/.patch}"); fi
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
check_without_mutation() { # check_without_mutation PATCH…, with $mutant of run_mutations
  local tests log=$PWD/.dev/mutation-none.log
  mapfile -t tests < <(sed -n 's/^Test: //p' "$@" | sort -u)
  ((${#tests[@]})) || return 0
  (run_mutant_tests "${tests[@]}") >"$log" 2>&1 || die "One of these tests fails without a defect; see $log:" "${tests[@]}"
  say "without a defect: $(grep '^test result: ' "$log")"
}

remove_mutant() { # with what a killed drill has left
  (dir=$mutant/.dev/drill clear_drill)
  rm -rf "$mutant"
}

run_mutation() { # run_mutation PATCH, with $mutant and $missed of run_mutations
  local name log expected line arguments test
  name=$(basename "$1" .patch) log=.dev/mutation-$name.log
  mapfile -t expected < <(sed -n 's/^Caught as: //p' "$1")
  eval "arguments=($(sed -n 's/^Drill: //p' "$1"))"
  test=$(sed -n 's/^Test: //p' "$1")
  apply_patch -d "$mutant" <"$1"
  if (run_mutant_check "$test" "${arguments[@]}") >"$log" 2>&1; then
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

# A system test, if the patch names one, or a drill.
run_mutant_check() { # run_mutant_check TEST ARGUMENT…, with $mutant of run_mutations
  if [[ -n $1 ]]; then
    run_mutant_tests "$1"
    return
  fi
  enter_mutant || return
  if [[ ${2:-} == rotate || ${2:-} == mails ]]; then
    DRILL_PROFILE=debug ./dev drill "${@:2}"
  else
    DRILL_PROFILE=debug ./dev drill --cells 24 --rate 150 "${@:2}"
  fi
}

run_mutant_tests() { # run_mutant_tests TEST…, with $mutant of run_mutations
  enter_mutant || return
  ./dev cargo-test -p guildhall-tests --test system -- "$@"
}

enter_mutant() {
  export CARGO_TARGET_DIR=$mutant/../mutant-target
  cd "$mutant"
}

# Without fuzz: a patch that applies only roughly may not be removed in the same way.
apply_patch() { patch -s -F0 -p1 "$@"; }

check_mutations() {
  local patch
  require_patch_program
  for patch in drills/mutations/*.patch; do
    apply_patch --dry-run <"$patch" || die "$patch does not apply to the sources any more. Create it again."
    grep -q '^Caught as: ' "$patch" || die "$patch does not name the check that finds it."
  done
}

require_patch_program() { install_missing patch "applies the mutations" command -v patch; }
