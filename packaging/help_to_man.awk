# SPDX-License-Identifier: Apache-2.0
# Turn a help text of kwb or kwb-gui into the body of a man page.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/) text = "\\&" text
    return text
}
function close_example() {
    if (example) print ".fi"
    example = 0
}
/^ *$/ { close_example(); print ".PP"; next }
/^Usage: / { sub(/^Usage: /, ""); print ".PP\n\\fB" plain($0) "\\fR"; next }
/^Examples/ { print ".SS Examples\n.nf"; example = 1; next }
example { print plain($0); next }
/^[A-Z].*:$/ { sub(/:$/, ""); print ".SS " plain($0); next }
/^          / { sub(/^ +/, ""); print plain($0); next }
/^  [^ ]/ {
    line = substr($0, 3)
    at = match(line, /  +/)
    term = at ? substr(line, 1, at - 1) : line
    print ".TP\n\\fB" plain(term) "\\fR"
    if (at) print plain(substr(line, at + RLENGTH))
    next
}
{ print plain($0) }
END { close_example() }
