# SPDX-License-Identifier: GPL-2.0-only
# awk.awk -v text=TEXT -v lines=LINES: as python.py
BEGIN {
	while (n < lines && (getline line < text) > 0) {
		line_of[n++] = line
		m = split(line, words)
		for (i = 1; i <= m && i <= 2; i++)
			count[words[i]]++
	}
	close(text)
	print "ready"
	fflush()
	half = int(n / 2)
	while ((getline request < "-") > 0) {
		start = request % 2 * half
		total = 0
		for (i = start; i < start + half; i++) {
			total += length(line_of[i])
			if (split(line_of[i], words))
				total += count[words[1]]
		}
		print total
		fflush()
	}
}
