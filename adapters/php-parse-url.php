<?php
// PHP's parse_url (Debian: php-cli). Run: php php-parse-url.php
// The protocol is in docs/adapter-protocol.md.

function word(?string $s)
{
    return $s === null || preg_match('//u', $s) ? $s : ['base64' => base64_encode($s)];
}

function answer(string $text): array
{
    $u = parse_url($text);
    if ($u === false) {
        return ['accepted' => false, 'error' => 'seriously malformed'];
    }
    return ['accepted' => true, 'components' => [
        'scheme' => word($u['scheme'] ?? null),
        'user' => word($u['user'] ?? null),
        'password' => word($u['pass'] ?? null),
        'host' => word(isset($u['host']) ? preg_replace('/^\[(.*)\]$/s', '$1', $u['host']) : null),
        'port' => isset($u['port']) ? (string) $u['port'] : null,
        'path' => word($u['path'] ?? ''),
        'query' => word($u['query'] ?? null),
        'fragment' => word($u['fragment'] ?? null),
    ]];
}

while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true);
    $text = $request['input'] ?? base64_decode($request['base64']);
    echo json_encode(['id' => $request['id']] + answer($text)), "\n";
}
