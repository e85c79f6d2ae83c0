-- SPDX-License-Identifier: GPL-2.0-only
-- The lines of the file "text" in memory, and an index of them. The rounds are
-- queries from standard input.
CREATE TABLE t(line TEXT);
.mode ascii
.separator "\037" "\n"
.import text t
CREATE INDEX i ON t(line);
.mode list
SELECT 'ready';
