# SPDX-License-Identifier: MIT OR Apache-2.0
# ParFORM expands (a+b+c+d)^20 and sums the coefficients: 4^20.
. "$(dirname "$0")/common.sh"

needs /usr/bin/parform
cat > power.frm <<'INPUT'
Symbols a,b,c,d;
Local F=(a+b+c+d)^20;
.sort
id a=1;id b=1;id c=1;id d=1;
Print;
.end
INPUT
ranks "$NP" /usr/bin/parform power.frm | tee parform.log
grep -q 1099511627776 parform.log || wrong "not 4^20"
