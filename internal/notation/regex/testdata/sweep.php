<?php
// Answers a sweep, as sweep.py says. Without (*UTF) an expression is for bytes.
ini_set('pcre.backtrack_limit', '1000000000');
ini_set('memory_limit', '1G');
$everything = $bytes = $candidates = '';
for ($c = 0; $c < 0x110000; $c++) if ($c < 0xd800 || $c > 0xdfff) $everything .= mb($c);
for ($c = 0; $c < 0x100; $c++) $bytes .= chr($c);

function mb($c) {
    if ($c < 0x80) return chr($c);
    if ($c < 0x800) return chr(0xc0 | $c >> 6) . chr(0x80 | $c & 0x3f);
    if ($c < 0x10000) return chr(0xe0 | $c >> 12) . chr(0x80 | $c >> 6 & 0x3f) . chr(0x80 | $c & 0x3f);
    return chr(0xf0 | $c >> 18) . chr(0x80 | $c >> 12 & 0x3f) . chr(0x80 | $c >> 6 & 0x3f) . chr(0x80 | $c & 0x3f);
}

function point($s, $utf) {
    $b = ord($s[0]);
    if (!$utf || $b < 0x80) return $b;
    $n = $b < 0xe0 ? 2 : ($b < 0xf0 ? 3 : 4);
    $v = $b & (0xff >> ($n + 1));
    for ($i = 1; $i < $n; $i++) $v = $v << 6 | ord($s[$i]) & 0x3f;
    return $v;
}

function last($s, $utf) {
    for ($i = strlen($s) - 1; $utf && (ord($s[$i]) & 0xc0) == 0x80; $i--);
    return point(substr($s, $i), $utf);
}

function literal($c) {
    if ($c < 2) return sprintf('\x%02x', $c);
    return ($c < 0x7f && strpos('^$\\.*+?()[]{}|/', chr($c)) !== false ? '\\' : '') . mb($c);
}

while (($line = fgets(STDIN)) !== false) {
    $f = explode(' ', rtrim($line, "\n"));
    switch ($f[0]) {
    case 'V':
        echo explode(' ', PCRE_VERSION)[0], "\n";
        break;
    case 'C':
        $candidates = implode('', array_map(fn($c) => mb(hexdec($c)), array_slice($f, 1)));
        break;
    case 'E':
        $e = hex2bin($f[1]);
        $utf = str_starts_with($e, '(*UTF)');
        if (@preg_match_all("\x01$e\x01", $utf ? $everything : $bytes, $m) === false) {
            echo preg_last_error() === PREG_INTERNAL_ERROR ? "error\n" : 'gave up ' . preg_last_error_msg() . "\n";
            break;
        }
        echo implode(' ', array_map(fn($s) => sprintf('%x-%x', point($s, $utf), last($s, $utf)), $m[0])), "\n";
        break;
    case 'S':
        $in = $candidates;
        for ($c = hexdec($f[2]); $c <= hexdec($f[3]); $c++) if ($c < 0xd800 || $c > 0xdfff) $in .= mb($c);
        if (@preg_match_all("\x01" . hex2bin($f[1]) . "\x01", $in, $m) === false) {
            echo "error\n";
            break;
        }
        echo implode(' ', array_map(fn($s) => sprintf('%x-%x', point($s, true), point($s, true)), array_unique($m[0]))), "\n";
        break;
    default:
        for ($c = hexdec($f[3]); $c <= hexdec($f[4]); $c++) {
            if ($c >= 0xd800 && $c < 0xe000) continue;
            $e = "\x01" . hex2bin($f[1]) . literal($c) . hex2bin($f[2]) . "\x01";
            if (@preg_match_all($e, $candidates . mb($c), $m) === false) {
                printf("%x error\n", $c);
                continue;
            }
            $found = array_unique($m[0]);
            sort($found);
            if ($found != [mb($c)]) printf("%x %s\n", $c, implode(' ', array_map(fn($s) => sprintf('%x', point($s, true)), $found)));
        }
        echo ".\n";
    }
}
