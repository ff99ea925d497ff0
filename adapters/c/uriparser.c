/* uriparser (Debian: liburiparser-dev). Build: cc -o uriparser uriparser.c -luriparser     Run: ./uriparser */
#include <uriparser/Uri.h>

#include "protocol.h"

static void range(const char *name, const UriTextRangeA *r)
{
	component(name, r->first, r->first ? r->afterLast - r->first : 0);
}

static void answer(const char *text)
{
	UriUriA u;
	const char *at;
	if (uriParseSingleUriA(&u, text, &at) != URI_SUCCESS) {
		reject("syntax");
		return;
	}
	char *path = malloc(strlen(text) + 2), *end = path;
	for (const UriPathSegmentA *s = u.pathHead; s; s = s->next) {
		size_t n = s->text.afterLast - s->text.first;
		if (s != u.pathHead || u.absolutePath || u.hostText.first)
			*end++ = '/';
		memcpy(end, s->text.first, n);
		end += n;
	}
	if (!u.pathHead && u.absolutePath)
		*end++ = '/';
	accept_begin();
	range("scheme", &u.scheme);
	range("userinfo", &u.userInfo);
	range("host", &u.hostText);
	range("port", &u.portText);
	component("path", path, end - path);
	range("query", &u.query);
	range("fragment", &u.fragment);
	accept_end();
	free(path);
	uriFreeUriMembersA(&u);
}
