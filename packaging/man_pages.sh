#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# man_pages.sh PROGRAMS FOLDER VERSION: write man pages to FOLDER, from the help texts of the programs in PROGRAMS.
set -eu
programs=$1 folder=$2 version=$3
here=$(dirname -- "$0")
mkdir -p "$folder"
"$programs/kwb" --version >/dev/null # fail here: a failure in a pipe goes unnoticed

# page NAME SUMMARY <BODY
page() {
    {
        printf '.TH %s 1 "" "Kernel Workbench %s"\n.SH NAME\n%s \\- %s\n' "$1" "$version" "$1" "$2"
        cat
    } >"$folder/$1.1"
    gzip -9nf "$folder/$1.1"
}

# help PROGRAM VERB: the help text as part of a page.
help() { "$programs/$1" $2 --help | awk -f "$here/help_to_man.awk"; }

{
    printf '.SH DESCRIPTION\n'
    help kwb ''
    "$programs/kwb" --help | awk '/^Examples/ {exit} /^  [a-z]/ {print $1}' |
        while read -r verb; do
            printf '.SH kwb %s\n' "$verb"
            help kwb "$verb"
        done
    if [ -x "$programs/kwb-gui" ]; then printf '.SH SEE ALSO\n.BR kwb-gui (1)\n'; fi
} | page kwb 'time and check OpenCL kernels'

if [ -x "$programs/kwb-gui" ]; then
    { printf '.SH DESCRIPTION\n' && help kwb-gui '' && printf '.SH SEE ALSO\n.BR kwb (1)\n'; } |
        page kwb-gui 'time and check OpenCL kernels in a window'
fi

page kwb-judge 'makes inputs, checks results and times kernels for kwb' <<'END'
.SH DESCRIPTION
.B kwb
and
.B kwb\-gui
start this program and communicate with it through its standard input and output; it starts
.B kwb\-runner
and
.BR kwb\-xray .
Users do not need to call it.
.SH SEE ALSO
.BR kwb (1),
.BR kwb\-gui (1),
.BR kwb\-runner (1),
.BR kwb\-xray (1)
END

page kwb-runner 'runs OpenCL kernels for kwb-judge' <<'END'
.SH DESCRIPTION
This is the only program of the workbench that loads OpenCL drivers.
.B kwb\-judge
starts it, gives it work, and replaces it when a kernel has crashed it. Users do not need to call it.
.SH SEE ALSO
.BR kwb (1),
.BR kwb\-judge (1)
END

page kwb-xray 'observes OpenCL kernels for kwb-judge' <<'END'
.SH DESCRIPTION
This program compiles a kernel's source for observation and runs it work-item by work-item.
.B kwb\-judge
starts it, gives it work, and replaces it when a kernel has crashed it. Users do not need to call it; they call
.BR "kwb xray" .
.SH SEE ALSO
.BR kwb (1),
.BR kwb\-judge (1)
END
