<?php // Reads {text, names, words} and writes for each word null or the spans of the groups, in bytes.
ini_set('pcre.backtrack_limit', '100000000');
$q = json_decode(stream_get_contents(STDIN), true);
$out = [];
foreach ($q['words'] as $w) {
    $ok = preg_match('/' . $q['text'] . '/', hex2bin($w), $m, PREG_OFFSET_CAPTURE);
    if ($ok === false) {
        fwrite(STDERR, preg_last_error_msg());
        exit(1);
    }
    $out[] = $ok ? array_map(fn($n) => isset($m[$n]) && $m[$n][1] >= 0 ? [$m[$n][1], $m[$n][1] + strlen($m[$n][0])] : null, $q['names']) : null;
}
echo json_encode($out);
