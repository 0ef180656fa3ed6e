# What .ci/run and .ci/long share. Both start from a bare Debian machine with Go and a
# C compiler; as root, or where sudo needs no password.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

export LC_ALL=C.UTF-8
export PATH=$PATH:/usr/sbin # haproxy
export GOFLAGS="-buildvcs=false -tags=nopgxregisterdefaulttypes ${GOFLAGS:-}" # the clone may belong to another user; the tags are those of a release
work=$(mktemp -d)
git config --file "$work/gitconfig" safe.directory '*' # here too
export GIT_CONFIG_GLOBAL=$work/gitconfig
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
preparing= # the group of processes that prepare the release, while there is one

# clean_up ends what still prepares the release, and removes what it wrote: the clean Debian
# belongs to root, and something may be mounted there.
clean_up() {
	if [ -n "$preparing" ]; then
		"${as_root[@]}" kill -- "-$preparing" 2>/dev/null || true
		wait "$preparing" 2>/dev/null || true
	fi
	"${as_root[@]}" rm -rf --one-file-system "$work"
}
trap clean_up EXIT

section() { printf '\n=== %s\n' "$*"; }
fail() {
	printf '\nFAILED: %s\n' "$*" >&2
	exit 1
}

# install TOOL:PACKAGE... installs the packages whose tools are missing. Without its tool a test
# skips, and a skipped test fails the run.
install() {
	local tool missing=()
	for tool in "$@"; do
		command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
	done
	# Debian keeps these programs out of PATH.
	compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
	[ -e /usr/share/bash-completion/bash_completion ] || missing+=(bash-completion)
	[ -d /usr/lib/python3/dist-packages/oauth2_provider ] || missing+=(python3-django-oauth-toolkit)
	[ -e /usr/lib/python3/dist-packages/pyte ] || missing+=(python3-pyte)
	if [ ${#missing[@]} -eq 0 ]; then
		echo 'nothing is missing'
		return
	fi
	"${as_root[@]}" apt-get update -q
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

install_tools() {
	install tmux:tmux screen:screen ssh:openssh-client dbus-run-session:dbus gnome-keyring-daemon:gnome-keyring ssh-audit:ssh-audit \
		haproxy:haproxy mandoc:mandoc jq:jq fzf:fzf sqlite3:sqlite3 curl:curl zsh:zsh fish:fish \
		glewlwyd:glewlwyd zstd:zstd rpm2archive:rpm nix-hash:nix-bin docker-compose:docker-compose ip:iproute2 "$@"
}

# prepare FUNCTION runs a function in the background; prepared waits for it.
prepare() {
	set -m # gives it a group of its own
	"$@" >"$work/prepare.log" 2>&1 &
	preparing=$!
	set +m
}

prepared() {
	wait "$preparing" || { cat "$work/prepare.log"; fail 'preparing the release'; }
	preparing=
}

build_release_tool() { nice .release/make tool; }

# check_release makes everything that people install, once.
check_release() {
	git clone -q . "$work/one/gatehouse"
	make_release "$work/one/gatehouse" snapshot "$work/made"
	(cd "$work/made" && ls -l && sha256sum --check --quiet SHA256SUMS)
	go -C .release vet .
	GATEHOUSE_MADE=$work/made go -C .release test .
}

make_release() { "$1/.release/make" "$2" "$3" >"$work/make.log" 2>&1 || { cat "$work/make.log"; fail "making the $2"; }; }

check_format() {
	local files
	files=$(find . -name '*.go' -not -path '*/testdata/*' -exec gofmt -l {} +)
	[ -z "$files" ] || fail "gofmt would change:"$'\n'"$files"
}

check_builds() {
	local os
	for os in linux darwin windows; do
		echo "$os"
		GOOS=$os CGO_ENABLED=0 go build -trimpath ./... # as a release is
	done
}

# with_keyring COMMAND runs a command with a session bus and an unlocked keyring of its own.
with_keyring() {
	mkdir -m 700 "$work/runtime"
	XDG_RUNTIME_DIR=$work/runtime XDG_DATA_HOME=$work/data dbus-run-session -- bash -euo pipefail -c '
		printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null
		for _ in {1..100}; do
			answer=$(dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / \
				org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets)
			[[ $answer == *true* ]] && exec "$@"
			sleep 0.1
		done
		echo "the keyring does not answer" >&2
		exit 1' with_keyring "$@"
}

# One line for each package.
test_summary() { grep -E '^(ok|FAIL|\?)[[:space:]]' "$work/test.log"; }

# test_all runs the suite with the race detector, and fails where a test was skipped.
test_all() {
	local skipped
	if ! with_keyring go test -race -count=1 -v -timeout 8m ./... >"$work/test.log" 2>&1; then
		grep -Ev '^ *(=== |--- PASS)|^PASS$' "$work/test.log"
		fail 'tests'
	fi
	if skipped=$(grep -E '^ *--- SKIP' "$work/test.log"); then
		fail "tests were skipped:"$'\n'"$skipped"
	fi
	test_summary
}

# test_long_input runs the tests of long input and of all runes without the race detector, with which
# they do less (see internal/testkit/long.go).
test_long_input() {
	local packages
	mapfile -t packages < <(git grep -lE 'testkit\.(Long(Answer|Claims)|Runes)\(' -- '*_test.go' | xargs dirname | sort -u)
	go test -count=1 -run '^Test(ALong|EveryRune)' -timeout 4m "${packages[@]/#/./}" || fail 'tests of long input'
}

# fuzz PACKAGE TARGET TIME runs one target on one processor.
fuzz() {
	local package=$1 target=$2 log=$work/fuzz.$2.log
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$3" -parallel 1 "$package" >"$log" 2>&1 && return
	# Go 1.26 can take the end of its own fuzztime for a failure (go.dev/issue/75804).
	if grep -q '^ *context deadline exceeded$' "$log" && ! grep -Eq 'Failing input|panic' "$log"; then
		return
	fi
	echo "FAILED: fuzzing $package $target" | cat - "$log"
	return 255 # xargs starts no more
}
