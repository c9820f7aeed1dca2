#!/usr/bin/env bash
# Checks that the documents tell the truth.
#
#   check_docs.sh code SOURCES               the C++ of the documents is that of the examples
#   check_docs.sh links SOURCES              every relative link and picture of every document exists
#   check_docs.sh rooms SOURCES              src/ is as docs/architecture.md says
#   check_docs.sh sizes SOURCES              folders and lines of the sources are not too large
#   check_docs.sh commands SOURCES PROGRAM   the README's commands run and print what it shows
#   check_docs.sh options SOURCES PROGRAM    commands in documents and in the program's own help have
#                                            only options that exist
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
  shows docs/distance.md distance.cpp
  shows docs/gpu.md cuda/device_rays.cpp
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

# included_rooms FOLDER: the rooms whose headers its files include, one per line.
included_rooms() {
  grep -rhoE '#include "[a-z]+/' "$1" | sed -E 's/.*"(.*)\//\1/' | sort -u
}

check_rooms() {
  local room uses used earlier=" " count=0
  # Each room uses exactly the rooms that its row names, and all of them stand above it.
  while IFS='|' read -r room uses; do
    used=$(included_rooms "$sources/src/$room" | { grep -vx "$room" || true; } | paste -sd ' ')
    uses=$(tr -d ' ' <<<"$uses" | tr ',' '\n' | sort -u | paste -sd ' ')
    [[ $used == "$uses" ]] ||
      complain "docs/architecture.md: src/$room uses '$used', not '$uses'"
    for used in $uses; do
      [[ $earlier == *" $used "* ]] || complain "src/$room uses $used, which does not stand above it"
    done
    earlier+="$room "
    count=$((count + 1))
  done < <(sed -nE 's/^\| `src\/([a-z]+)\/` \|.*\| ?([a-z, ]*)\|$/\1|\2/p' "$sources/docs/architecture.md")
  ((count > 0)) || complain "no rooms found: is the check broken?"
  # There are no others.
  for room in "$sources"/src/*/; do
    room=$(basename "$room")
    [[ $earlier == *" $room "* ]] || complain "docs/architecture.md does not show src/$room"
  done
  # Nor does the Python package see the rooms.
  room=$(grep -rlE '#include "(math|geometry|file|parallel|mesh|volume|tree|build|structure|traverse|gpu|engine|query|scene|sim|cuda)/' \
    "$sources/python/src" || true)
  [[ -z $room ]] || complain "$room includes more than the public API"
  # Examples use the public API alone; tandem.h is all of it.
  ! grep -nE '#include "' "$sources"/examples/*.cpp || complain "an example includes more than the public API"
  for room in "$sources"/include/tandem/*.h; do
    room=tandem/$(basename "$room")
    [[ $room == tandem/tandem.h ]] || grep -q "#include <$room>" "$sources/include/tandem/tandem.h" ||
      complain "tandem.h does not include $room"
  done
  # Every file that the walks of docs/architecture.md name is there.
  while IFS= read -r used; do
    [[ -e $sources/$used || -e $sources/src/$used ]] || complain "docs/architecture.md: there is no $used"
  done < <(grep -oE '`[a-z_/]+/[a-z_.-]+\.(h|cpp)`' "$sources/docs/architecture.md" "$sources/docs/papers.md" \
    "$sources/CONTRIBUTING.md" -h | tr -d '`' | sort -u)
}

# No folder of sources has more files than a reader takes in, and no line is wider than the screen.
check_sizes() {
  local folder count most
  while IFS= read -r folder; do
    count=$(find "$folder" -maxdepth 1 -type f | wc -l)
    # Users include public headers by their names.
    case ${folder#"$sources"/} in include/tandem) most=28 ;; *) most=26 ;; esac
    ((count <= most)) || complain "$folder has $count files"
  done < <(find "$sources"/{include,src,apps,chip,python,web,tests,bench,examples} -type d -not -path '*/corpus*')
  # Columns are characters, not bytes.
  LC_ALL=C.UTF-8 grep -rnE '^.{101,}' --include='*.h' --include='*.cpp' --include='*.cu' --include='*.in' \
    --include='*.sv' --include='*.mjs' --include='*.ts' --include='*.py' --include='*.pyi' \
    "$sources"/{include,src,apps,chip,python,web,tests,bench,examples,setup.py} &&
    complain "lines are wider than 100 columns"
  return 0
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
  local line count=0 has_page=yes
  # Where npm was missing, the program is built without the page of `tandem view`.
  tandem view shape:box shape:box -o page.html 2>&1 | grep -q "built without its page" && has_page=no
  while IFS= read -r line; do
    line=${line#build/release/apps/tandem/}
    [[ $line == "tandem "* || $line == *"| tandem "* ]] || continue
    [[ $line == "tandem view "* && $has_page == no ]] && continue
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

# code_of DOCUMENT: its commands and other code, one per line: the lines of code blocks, without
# comments and with those that they continue on, and what stands between backticks.
code_of() {
  awk '
    function spans(text,   parts, count, i) {
      count = split(text, parts, "`")
      for (i = 2; i < count; i += 2) print parts[i]
    }
    /^```/ { spans(paragraph); paragraph = ""; inside = !inside; next }
    inside && /\\$/ { line = line substr($0, 1, length($0) - 1) " "; next }
    inside { sub(/^\$ /, "", $0); print line $0; line = ""; next }
    /^$/ { spans(paragraph); paragraph = ""; next }
    { paragraph = paragraph " " $0 }
    END { spans(paragraph) }' "$1" | sed -E 's/[[:space:]]#.*//; s/^[[:space:]]+//'
}

# help_of COMMAND: puts what `tandem COMMAND --help` prints into `help`.
declare -A help_texts=()
help_of() {
  # shellcheck disable=SC2086  # `bench peers` is two words
  [[ -v help_texts["tandem $1"] ]] || help_texts["tandem $1"]=$("$program" $1 --help 2>/dev/null || true)
  help=${help_texts["tandem $1"]}
}

# has_option TEXT OPTION: a help text that declares the option.
has_option() { grep -qE -- "^ +([^ ]+,)?$2([, ]|\$)" <<<"$1"; }

# check_options WHERE LINE: a command line that begins with "tandem ", up to a pipe, has only options
# that exist.
check_options() {
  local words word command help
  read -ra words <<<"${2%% | *}"
  command=${words[1]:-}
  [[ $command =~ ^(bench|chip)$ && ${words[2]:-} =~ ^[a-z]+$ ]] && command="$command ${words[2]}"
  [[ $command == -* ]] && command=""
  help_of "$command"
  [[ $help == *"Usage: tandem $command"* ]] || complain "$1: there is no 'tandem $command': $2"
  for word in "${words[@]:1}"; do
    [[ $word =~ ^-(-[a-z]|[a-z]$) ]] || continue
    has_option "$help" "${word%%=*}" || complain "$1: 'tandem $command' has no option $word: $2"
  done
}

check_all_options() {
  local document line command help all_help="" count=0
  for command in "" collide distance self batch clash scene view simulate make info list render demo reproduce chip \
    "bench "{tumble,peers,rays,arm,motion,exactness,self,scene,threads,closest,simulate} "chip "{run,table}; do
    help_of "$command"
    all_help+=$help$'\n'
    while IFS= read -r line; do
      check_options "tandem $command --help" "$line"
    done < <(grep -oE '^ *tandem [a-z].*' <<<"$help" | sed -E 's/^ *//; s/  .*//')
  done
  # CHANGELOG.md may name options of the past.
  for document in "$sources"/{README,CONTRIBUTING}.md "$sources"/docs/*.md; do
    while IFS= read -r line; do
      line=${line#build/release/apps/tandem/}
      case $line in
        "tandem "[a-z-]*)
          check_options "$document" "$line"
          count=$((count + 1))
          ;;
        --[a-z]*) # an option of some command
          has_option "$all_help" "${line%%[ =]*}" || complain "$document: no command has the option $line"
          ;;
      esac
    done < <(code_of "$document")
  done
  ((count > 20)) || complain "only $count commands found: is the check broken?"
}

case $what in
  code) check_code ;;
  links) check_links ;;
  rooms) check_rooms ;;
  sizes) check_sizes ;;
  commands) check_commands ;;
  options) check_all_options ;;
  *) complain "unknown check '$what'" ;;
esac
exit "$failed"
