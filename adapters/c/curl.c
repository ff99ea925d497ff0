/* curl's URL API (Debian: libcurl4-openssl-dev). Build: cc -o curl-url curl.c -lcurl     Run: ./curl-url
 * Schemes that curl has no protocol for are allowed; there is no guessing of one. */
#include <curl/curl.h>

#include "protocol.h"

static void answer(const char *text)
{
	static const struct { const char *name; CURLUPart part; } parts[] = {
		{"scheme", CURLUPART_SCHEME}, {"user", CURLUPART_USER}, {"password", CURLUPART_PASSWORD},
		{"host", CURLUPART_HOST}, {"port", CURLUPART_PORT}, {"path", CURLUPART_PATH},
		{"query", CURLUPART_QUERY}, {"fragment", CURLUPART_FRAGMENT},
	};
	CURLU *u = curl_url();
	CURLUcode code = curl_url_set(u, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME);
	if (code != CURLUE_OK) {
		reject(curl_url_strerror(code));
	} else {
		accept_begin();
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
			char *s = NULL;
			size_t n;
			curl_url_get(u, parts[i].part, &s, 0);
			n = s ? strlen(s) : 0;
			if (parts[i].part == CURLUPART_HOST && n > 1 && *s == '[' && s[n - 1] == ']')
				component("host", s + 1, n - 2);
			else
				component(parts[i].name, s, n);
			curl_free(s);
		}
		accept_end();
	}
	curl_url_cleanup(u);
}
