# Perl's URI (Debian: liburi-perl). Run: perl perl-uri.pl
# The protocol is in docs/adapter-protocol.md. URI->new takes every string, and escapes what may not stand in a URI;
# accepted is what then has a scheme. Its port is the scheme's default where the string has none.
use strict;
use warnings;
use JSON::PP;
use MIME::Base64;
use URI;

sub parse {
    my $u = URI->new(shift);
    die "no scheme\n" unless defined $u->scheme;
    my $get = sub { my $method = shift; $u->can($method) ? $u->$method : undef };
    my ($user, $password) = split /:/, $get->('userinfo') // '', 2;
    my $port = $get->('port');
    return {
        scheme   => $u->scheme,
        user     => $user,
        password => $password,
        host     => $get->('host'),
        port     => defined $port ? "$port" : undef,
        path     => $u->can('path') ? $u->path : $u->opaque,
        search   => $get->('query'),
        fragment => $u->fragment,
    };
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
