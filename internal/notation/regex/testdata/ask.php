<?php
// Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1.
// With the argument "literal" an expression has its delimiters and modifiers.
$asked = json_decode(stream_get_contents(STDIN), true);
$words = array_map('hex2bin', $asked['words']);
foreach ($asked['expressions'] as $e) {
    $line = '';
    if (strlen($e) - strlen(rtrim($e, '\\\\')) & 1) { // PHP takes its own delimiter for escaped
        echo str_repeat('?', count($words)), "\n";
        continue;
    }
    // Auto-possessification of PCRE2 10.42 takes \R and \s for disjoint, so that \R?\s does not match a newline.
    $pattern = ($argv[1] ?? '') === 'literal' ? $e : "\x01(*NO_AUTO_POSSESS)$e\x01";
    foreach ($words as $w) {
        if (str_starts_with($e, '(*UTF)') && !preg_match('//u', $w)) { // preg_match itself does not look
            $line .= '0';
            continue;
        }
        $found = @preg_match($pattern, $w);
        if ($found === false && preg_last_error() === PREG_INTERNAL_ERROR) {
            $line = 'error';
            break;
        }
        $line .= $found === false && preg_last_error() !== PREG_BAD_UTF8_ERROR ? '?' : +$found;
    }
    echo $line, "\n";
}
