# Perl's URI (Debian: liburi-perl). Run: perl perl-uri.pl
# The protocol is in docs/adapter-protocol.md. URI->new takes every string, and escapes what may not stand in a URI.
# Its port is the scheme's default where the string has none.
use strict;
use warnings;
use JSON::PP;
use MIME::Base64;
use URI;

# A class of URI has the methods of its scheme; of a component without one nothing is said.
sub parse {
    my $u = URI->new(shift);
    my %parts = (scheme => $u->scheme, path => $u->can('path') ? $u->path : $u->opaque, fragment => $u->fragment);
    for my $name (qw(userinfo host port query)) {
        $parts{$name} = $u->$name if $u->can($name);
    }
    $parts{port} = "$parts{port}" if defined $parts{port};
    return \%parts;
}

my $json = JSON::PP->new->ascii->canonical;
my $in   = JSON::PP->new->utf8;
$| = 1;
while (my $line = <STDIN>) {
    my $request = $in->decode($line);
    my $answer  = eval {
        my $parts = parse($request->{input} // decode_base64($request->{base64}));
        { accepted => JSON::PP::true, components => $parts };
    } || { accepted => JSON::PP::false, error => "$@" };
    $answer->{id} = $request->{id};
    print $json->encode($answer), "\n";
}
