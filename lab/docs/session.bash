# A session runs the blocks of a page one after the other: it reads names of files from descriptor 3
# and answers on descriptor 4. It ends with the first command that fails.
set -euo pipefail
ip link set lo up 2>/dev/null || true
page=$PWD
serve_out=$SESSION/serve.out serve_err=$SESSION/serve.err
server=
python=

serve_begin() { serve_end; : >"$serve_out"; : >"$serve_err"; }

# The server answers when it has printed its address.
serve_ready() {
	server=$!
	local i
	for ((i = 0; i < 2400; i++)); do
		! grep -qE ':[0-9]{2,5}' "$serve_out" || break
		kill -0 "$server" 2>/dev/null || break
		sleep 0.05
	done
	cat "$serve_err" "$serve_out"
	grep -qE ':[0-9]{2,5}' "$serve_out" || { echo "the server ended before it answered"; return 1; }
}

# The server ends without an error when it is asked to.
serve_end() {
	[ -n "$server" ] || return 0
	local ending=$server
	server=
	kill -TERM "$ending" || { echo "the server has ended by itself"; cat "$serve_err"; return 1; }
	wait "$ending" || { echo "the server ended with code $?"; cat "$serve_err"; return 1; }
}

# Somebody types a word and leaves.
on_terminal() {
	(sleep 0.5; printf 'k'; sleep 0.2; printf 'ing'; sleep 0.5; printf '\003') |
		TERM=xterm-256color script --quiet --return --command "stty rows 30 columns 100; $(printf '%q ' "$@")" /dev/null >"$SESSION/terminal"
}

python_block() {
	if [ -z "$python" ]; then
		coproc python_session { exec /usr/bin/python3 -u "$SESSION/session.py" 3<&- 4>&-; }
		python=1
	fi
	local answer=
	printf '%s\t%s\n' "$PWD" "$1" >&"${python_session[1]}"
	read -r answer <&"${python_session[0]}" || true
	[ "$answer" = done ]
}

while read -r block <&3; do
	trap 'echo "failed: $BASH_COMMAND" >&2' ERR
	case $block in
	*.py) python_block "$block" >"$block.out" 2>&1 ;;
	*) . "$block" >"$block.out" 2>&1 </dev/null ;;
	esac
	echo done >&4
done
serve_end >"$SESSION/end.out" 2>&1
