#!/usr/bin/env bash
# Checks that the documents tell the truth.
#
#   check_docs.sh code SOURCES               the C++ of the documents is that of the examples
#   check_docs.sh links SOURCES              every relative link and picture of every document exists
#   check_docs.sh rooms SOURCES              src/ keeps the order of rooms in docs/architecture.md
#   check_docs.sh commands SOURCES PROGRAM   the README's commands run and print what it shows
#
# SOURCES is the folder of the README, PROGRAM the command line program.
#
# shellcheck disable=SC2016  # backticks are Markdown here
set -euo pipefail

what=$1
sources=$(cd "$2" && pwd)
program=${3:-}
readme=$sources/README.md
failed=0

complain() {
  echo "$*" >&2
  failed=1
}

# blocks LANGUAGE FILE: what stands in its code blocks of that language.
blocks() {
  awk -v start='```'"$1" '/^```/ { inside = !inside && $0 == start; next } inside' "$2"
}

# shows DOCUMENT EXAMPLE: the document's C++ is the example, to the letter.
shows() {
  diff -u "$sources/examples/$2" <(blocks cpp "$sources/$1") ||
    complain "$1 shows other C++ (+) than examples/$2 (-)"
}

check_code() {
  shows README.md first_steps.cpp
  shows docs/traversals.md resume.cpp
  shows docs/rays.md rays.cpp
}

# Targets of [text](target) and src="target" outside of code, without those on the web and anchors.
links() {
  awk '/^```/ { inside = !inside; next } !inside' "$1" | sed 's/`[^`]*`//g' |
    grep -oE '\]\([^) ]+\)|src="[^"]+"' | sed -E 's/^(\]\(|src=")//; s/[)"]$//' |
    grep -vE '^([a-z]+:|#)' | sed 's/#.*//' || true
}

check_links() {
  local document link count=0
  while IFS= read -r document; do
    while IFS= read -r link; do
      count=$((count + 1))
      [[ -e $(dirname "$document")/$link ]] || complain "$document: there is no $link"
    done < <(links "$document")
  done < <(find "$sources" \( -name build -o -name '.?*' \) -prune -o -name '*.md' -print)
  ((count > 0)) || complain "no links found: is the check broken?"
}

check_rooms() {
  local rooms=() room used earlier=" "
  mapfile -t rooms < <(sed -nE 's/^\| `src\/([a-z]+)\/` .*/\1/p' "$sources/docs/architecture.md")
  # Each room includes headers of its own and of those before it.
  for room in "${rooms[@]}"; do
    earlier+="$room "
    while IFS= read -r used; do
      [[ $earlier == *" $used "* ]] || complain "src/$room includes headers of $used"
    done < <(grep -rhoE '#include "[a-z]+/' "$sources/src/$room" | sed -E 's/.*"(.*)\//\1/' | sort -u)
  done
  # There are no others.
  for room in "$sources"/src/*/; do
    room=$(basename "$room")
    [[ $earlier == *" $room "* ]] || complain "docs/architecture.md does not show src/$room"
  done
}

# One blank for many, and no times, which differ from run to run.
normalised() {
  sed -E 's/[0-9]+(\.[0-9]+)? (min|s|ms|µs)([^[:alnum:]]|$)/TIME\3/g; s/[[:space:]]+/ /g; s/^ //; s/ $//'
}

# appear_in FILE: the lines on standard input are in the file, in that order. "..." and empty lines
# stand for any lines.
appear_in() {
  local line shown position=0
  mapfile -t shown < <(normalised <"$1")
  while IFS= read -r line; do
    [[ -z $line || $line == ... ]] && continue
    while ((position < ${#shown[@]})) && [[ ${shown[position]} != "$line" ]]; do
      position=$((position + 1))
    done
    ((position < ${#shown[@]})) || { echo "$line" && return 1; }
    position=$((position + 1))
  done < <(normalised)
}

# run COMMAND OUTPUT: runs a command line as a shell would. `make run` ends with the demo.
run() {
  local command=$1
  [[ $command == "make run" ]] && command="tandem demo"
  if ! bash -c "$command" >"$2" 2>&1 </dev/null; then
    complain "README.md: this fails: $1"
    cat "$2" >&2
  fi
}

# The commands of sh blocks have to run.
run_commands() {
  local line count=0
  while IFS= read -r line; do
    line=${line#build/release/apps/tandem/}
    [[ $line == "tandem "* ]] || continue
    run "$line" output
    count=$((count + 1))
  done < <(blocks sh "$readme")
  ((count > 0)) || complain "no commands found: is the check broken?"
}

# Those of console blocks have to print what follows them there, up to "$ " or the end.
run_transcripts() {
  local line command="" expected=()
  while IFS= read -r line; do
    if [[ $line != '$ '* ]]; then
      expected+=("$line")
      continue
    fi
    if [[ -n $command ]]; then
      run "$command" output
      printf '%s\n' "${expected[@]}" | appear_in output >missing ||
        complain "README.md: '$command' does not print '$(cat missing)' where it should"
    fi
    command=${line#'$ '}
    expected=()
  done < <(blocks console "$readme" && echo '$ end')
  [[ -n $command ]] || complain "no transcripts found: is the check broken?"
}

check_commands() {
  local folder
  folder=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder of now
  trap "rm -rf '$folder'" EXIT
  PATH=$(cd "$(dirname "$program")" && pwd):$PATH
  cd "$folder"
  run_commands
  run_transcripts
}

case $what in
  code) check_code ;;
  links) check_links ;;
  rooms) check_rooms ;;
  commands) check_commands ;;
  *) complain "unknown check '$what'" ;;
esac
exit "$failed"
