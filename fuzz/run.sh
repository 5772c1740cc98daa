#!/usr/bin/env bash
# Run fuzz targets one after the other: run.sh SECONDS [TARGET...]; all of them without a name.
# Results and logs go to fuzz/logs/ (or $FUZZ_LOGS); findings to fuzz/artifacts/.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

seconds=${1:?seconds for each target}
shift
logs=${FUZZ_LOGS:-logs}
mkdir -p "$logs"
if [ $# -eq 0 ]; then
    set -- fuzz_targets/*.rs
fi
# Sanitizer coverage needs unstable options of the compiler; there is no unsafe code to sanitize.
export RUSTC_BOOTSTRAP=1
status=0
printf '%-12s %12s %8s %6s %6s  %s\n' target runs runs/s cover seeds result
for target; do
    target=$(basename "$target" .rs)
    mkdir -p "corpus/$target"
    log=$logs/$target.log
    nice -n 10 cargo fuzz run -s none "$target" "corpus/$target" "../tests/data/seeds/$target" -- \
        -max_total_time="$seconds" -max_len=12288 -timeout=10 -rss_limit_mb=1024 \
        -print_final_stats=1 -verbosity=1 >"$log" 2>&1
    code=$?
    result=clean
    if [ $code -ne 0 ]; then
        result="exit $code, see $log"
        status=1
    fi
    # The last line that reports coverage, and the statistics at the end.
    cover=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d' ' -f2)
    seeds=$(grep -oE 'corp: [0-9]+' "$log" | tail -n 1 | cut -d' ' -f2)
    runs=$(grep -oE 'number_of_executed_units: [0-9]+' "$log" | cut -d' ' -f2)
    speed=$(grep -oE 'average_exec_per_sec: +[0-9]+' "$log" | grep -oE '[0-9]+$')
    printf '%-12s %12s %8s %6s %6s  %s\n' "$target" "${runs:--}" "${speed:--}" "${cover:--}" \
        "${seeds:--}" "$result"
done
exit $status
