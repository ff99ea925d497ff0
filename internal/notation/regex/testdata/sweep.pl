# Answers a sweep over bytes, as sweep.py says. There are no questions about characters.
use strict;
no warnings;
use Unicode::UCD;
$| = 1;
my $bytes = join '', map { chr } 0 .. 255;
while (my $line = <STDIN>) {
    my @f = split ' ', $line;
    if ($f[0] eq 'V') {
        print join('.', (split /\./, sprintf '%vd', $^V)[0, 1]), ' ', Unicode::UCD::UnicodeVersion(), "\n";
    } elsif ($f[0] eq 'E') {
        my $e = pack 'H*', $f[1];
        my $re = eval { qr/$e/ };
        print "error\n" and next if !defined $re;
        my @found;
        while ($bytes =~ /($re)/g) {
            push @found, sprintf '%x-%x', ord $1, ord substr $1, -1;
        }
        print "@found\n";
    } elsif ($f[0] ne 'C') {
        print "error\n";
    }
}
