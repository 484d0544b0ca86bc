# SPDX-License-Identifier: MIT OR Apache-2.0
# What check.sh makes of its figures: table.txt, results.json, and a short text with the targets, the failures last. It reads
# lines.txt (LIBRARY measured OPERATION RANKS BYTES MICROSECONDS WRONG, LIBRARY ceiling WHAT RANKS BYTES GB/S, LIBRARY fact NAME VALUE...),
# checks.txt and the ends of the outputs that failed.

# The layout of nccl-tests, one block for each library, operation and number of ranks.
table() {
    awk '$2 == "measured" {
        key = $1 " " $3 " np=" $4
        if (key != last) printf "\n# %s\n#%12s %12s %8s %6s %12s %8s %8s %7s\n", key, "size", "count", "type", "redop", "time", "algbw", "busbw", "#wrong"
        last = key
        reduces = $3 ~ /allreduce/
        algbw = $6 > 0 ? $5 / $6 / 1e3 : 0
        busbw = reduces ? algbw * 2 * ($4 - 1) / $4 : algbw
        printf "%13d %12d %8s %6s %12.2f %8.2f %8.2f %7d\n", $5, $5 / 4, "float", reduces ? "sum" : "none", $6, algbw, busbw, $7
    }' <(sort -s -k1,1 -k3,3 -k4,4n "$lines")
}

# Times of all libraries beside each other at some sizes.
beside() {
    awk -v wanted="$1" '
    $2 == "measured" && $7 == 0 && ($3 == "bcast" || $3 == "allreduce" || $3 == "pingpong") {
        if ($1 ~ (wanted == "peers" ? "^paceline@" : "^(intel|openmpi|nccl|paceline-mps)$")) next
        if (!($1 in place)) { place[$1] = ++libraries; name[libraries] = $1 }
        time[$3, $4, $5, $1] = $6
        if ($1 != "paceline") other[$3, $4] = 1
        sizes[$5] = 1
    }
    END {
        if (libraries < 1 || wanted != "peers" && libraries < 2) exit
        printf "%-9s %2s %10s", "us", "np", "bytes"
        for (l = 1; l <= libraries; l++) printf " %15s", name[l]
        printf "\n"
        split("pingpong bcast allreduce", operations)
        split(wanted == "peers" ? "8 4096 65536 1048576 16777216 268435456" : "65536 1048576 16777216 268435456", shown)
        for (o = 1; o <= 3; o++) for (np = 2; np <= 8; np *= 2) for (s = 1; s in shown; s++) {
            row = "" ; any = 0
            for (l = 1; l <= libraries; l++) {
                key = operations[o] SUBSEP np SUBSEP shown[s] SUBSEP name[l]
                row = row sprintf(" %15s", key in time ? sprintf("%.1f", time[key]) : "-")
                any += key in time
            }
            if (any > (wanted == "peers" ? 0 : 1) && !(operations[o] == "pingpong" && np > 2)) printf "%-9s %2d %10d%s\n", operations[o], np, shown[s], row
        }
    }' "$lines"
}

# One line for each target: met, missed or not measured, what it demands, and the figures.
#   A broadcast between two ranks on one device has one copier, so it is held against a copy by one rank. An all-reduce on n ranks of one device
#   reads each of n contributions and writes each of n results once at least: as many bytes as n such copies.
targets() {
    awk -F '[ \t]' '
    function say(verdict, what, figures) { printf "%s\t%s\t%s\n", verdict, what, figures }
    function share(what, percent, operation, np, copies,    rate, top) {
        if (!((operation, np, LARGE, "paceline") in time) || !(2 in copier)) { say("not measured", what, ""); return }
        rate = LARGE / time[operation, np, LARGE, "paceline"] / 1e3
        top = copier[2] / copies
        say(rate >= top * percent / 100 ? "met" : "missed", what, sprintf("%.0f of %.0f GB/s: %.0f %%", rate, top, 100 * rate / top))
    }
    # The smallest ratio of a time of others to ours, over what both measured.
    function least(what, wanted, peers, from, operation,    key, part, ratio, worst, at, n, other) {
        worst = 1e30
        for (key in time) {
            split(key, part, SUBSEP)
            if (part[4] != "paceline" || part[3] + 0 < from || operation != "" && part[1] != operation) continue
            if (part[1] != "bcast" && part[1] != "allreduce" && part[1] != "pingpong") continue
            for (n = 1; n in PEERS; n++) {
                other = PEERS[n]
                if (index(" " peers " ", " " other " ") == 0 || !((part[1], part[2], part[3], other) in time)) continue
                ratio = time[part[1], part[2], part[3], other] / time[key]
                if (ratio < worst) { worst = ratio; at = sprintf("%s of %d bytes on %d ranks, %s", part[1], part[3], part[2], other) }
            }
        }
        if (worst == 1e30) { say("not measured", what, ""); return }
        say(worst >= wanted ? "met" : "missed", what, sprintf("least: %.2f times (%s)", worst, at))
    }
    BEGIN { LARGE = 268435456; split("intel openmpi nccl", PEERS) }
    $2 == "measured" && $7 == 0 { time[$3, $4, $5, $1] = $6 }
    $1 == "paceline" && $3 == "copy_one" { copier[$4] = $6 }
    END {
        share("bcast of 256 MiB on 2 ranks: 80 % of a copy by one rank", 80, "bcast", 2, 1)
        for (np = 2; np <= 8; np *= 2) share("allreduce of 256 MiB on " np " ranks: 70 % of the bytes of " np " such copies", 70, "allreduce", np, np)
        least("bcast from 1 MiB on: 3 times as fast as Intel MPI", 3, "intel", 1048576, "bcast")
        least("allreduce from 1 MiB on: 3 times as fast as Intel MPI", 3, "intel", 1048576, "allreduce")
        least("bcast from 1 MiB on: 3 times as fast as Open MPI", 3, "openmpi", 1048576, "bcast")
        least("allreduce from 1 MiB on: 3 times as fast as Open MPI", 3, "openmpi", 1048576, "allreduce")
        least("never slower than the best peer (but for 5 % of noise)", 0.95, "intel openmpi nccl", 0, "")
    }' "$lines"
}

# All of it for programs.
json() {
    awk -F '\t' -v checks="$checks" -v tails="$1" -v goals="$2" '
    function text(value) { gsub(/\\/, "&&", value); gsub(/"/, "\\\\&", value); gsub(/\t/, "\\t", value); return "\"" value "\"" }
    function whole(file,    line, all) {
        all = ""
        while ((getline line < file) > 0) { line = text(line); all = all substr(line, 2, length(line) - 2) "\\n" }
        close(file)
        return "\"" all "\""
    }
    function add(list, entry) { return list (list == "" ? "" : ",") "\n    {" entry "}" }
    FILENAME == tails { tail[$1] = $2; next }
    FILENAME == checks {
        entry = "\"name\": " text($3) ", \"verdict\": " text($1 == "absent" ? "peer did not run" : $1) ", \"seconds\": " $2
        if ($4 != "") entry = entry ", \"reason\": " text($4)
        if ($1 == "FAIL" && $3 in tail) entry = entry ", \"log\": " whole(tail[$3])
        all = add(all, entry)
        next
    }
    FILENAME == goals { aims = add(aims, "\"target\": " text($2) ", \"verdict\": " text($1) ", \"figures\": " text($3)); next }
    {
        split($0, w, " ")
        if (w[2] == "measured") results = add(results, "\"library\": " text(w[1]) ", \"operation\": " text(w[3]) ", \"ranks\": " w[4] ", \"bytes\": " w[5] ", \"us\": " w[6] ", \"wrong\": " w[7])
        if (w[2] == "ceiling") ceilings = add(ceilings, "\"library\": " text(w[1]) ", \"what\": " text(w[3]) ", \"ranks\": " w[4] ", \"bytes\": " w[5] ", \"gbps\": " w[6])
        if (w[2] == "fact") { value = $0; sub(/^[^ ]+ fact [^ ]+ ?/, "", value); facts = add(facts, "\"name\": " text(w[3]) ", \"value\": " text(value)) }
    }
    END {
        printf "{\n  \"checks\": [%s\n  ],\n  \"targets\": [%s\n  ],\n  \"results\": [%s\n  ],\n  \"ceilings\": [%s\n  ],\n  \"facts\": [%s\n  ]\n}\n", all, aims, results, ceilings, facts
    }' "$1" "$checks" "$2" "$lines"
}

# Few enough lines that the end of the output holds them all.
report() {
    local goals=$logs/targets.txt
    touch "$logs/tails"
    targets > "$goals"
    { beside peers && echo && beside algorithms && table; } > "$out/table.txt"
    json "$logs/tails" "$goals" > "$out/results.json"
    echo
    beside peers
    echo
    beside algorithms | head -30
    echo
    grep -aE '^facts fact (device|driver|compute_mode|ipc_copy_gbps|report) ' "$lines" | sed 's/^facts fact //' | awk '!seen[$0]++' | head -24
    awk '$2 == "ceiling" && $1 == "paceline" { printf "ceiling %s np=%d: %s GB/s\n", $3, $4, $6 }' "$lines"
    awk -F '\t' '{ printf "target %-12s %s%s\n", $1, $2, ($3 == "" ? "" : ": " $3) }' "$goals"
    awk '$2 == "measured" && $7 > 0 { bad[$1 " " $3 " np=" $4]++ } END { for (what in bad) printf "wrong contents, so not compared: %s, of %d sizes\n", what, bad[what] }' "$lines"
    awk -F '\t' '$1 == "absent" { printf "%s: %s\n", $3, $4 }' "$checks"
    awk -F '\t' '$1 == "FAIL" { print "FAIL " $3 ": " $4 }' "$checks" | head -20
    # The end of some, all of them in failures.txt.
    head -3 "$logs/tails" | while IFS=$'\t' read -r name file; do
        echo "-- the end of $name:" && tail -8 "$file" | cut -c1-160
    done
}
