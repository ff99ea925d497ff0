# Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1.
# With the argument "literal" an expression is the source text of a match.
# Expressions and words are bytes, as a program has them that decodes nothing.
use strict;
no warnings;
use JSON::PP;
local $/;
my $asked = decode_json(<STDIN>);
my @words = map { pack 'H*', $_ } @{ $asked->{words} };
for my $e (@{ $asked->{expressions} }) {
    utf8::encode($e);
    if (@ARGV) {
        my $matches = eval "sub { \$_[0] =~ $e ? 1 : 0 }";
        # ?...? matches once, until reset.
        print defined $matches ? join('', map { reset; my $found = eval { $matches->($_) }; defined $found ? $found : '?' } @words) : 'error', "\n";
        next;
    }
    my $re = eval { $e eq '' ? qr/(?:)/ : qr/$e/ }; # an empty expression is the last one that matched
    if (!defined $re) {
        print "error\n";
        next;
    }
    print join('', map { my $found = eval { $_ =~ $re ? 1 : 0 }; defined $found ? $found : '?' } @words), "\n";
}
