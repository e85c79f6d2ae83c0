# SPDX-License-Identifier: GPL-2.0-only
# perl.pl TEXT LINES: as python.py
use strict;
use warnings;

my (@lines, %count);
open(my $text, '<', $ARGV[0]) or die "$ARGV[0]: $!\n";
while (my $line = <$text>) {
	last if $. > $ARGV[1];
	chomp $line;
	push @lines, $line;
	$count{$_}++ for split(' ', $line);
}
$| = 1;
print "ready\n";
my $half = int(@lines / 2);
while (my $request = <STDIN>) {
	my ($start, $total) = ($request % 2 * $half, 0);
	for my $i ($start .. $start + $half - 1) {
		$total += length $lines[$i];
		$total += $count{$1} if $lines[$i] =~ /(\S+)/;
	}
	print "$total\n";
}
