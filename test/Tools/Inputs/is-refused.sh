#!/bin/sh
# For tile-reduce: 1 where the file shows the defect, 0 where it does not.
tile-opt --tile-to-ptx "$1" 2>&1 | grep -q "expected operands of f64, 16 or 8 bits"
exit $((1 - $?))
