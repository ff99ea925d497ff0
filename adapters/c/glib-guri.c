/* GLib's g_uri_split (Debian: libglib2.0-dev). Build: cc -o glib-guri glib-guri.c $(pkg-config --cflags --libs glib-2.0)
 * Run: ./glib-guri */
#include <glib.h>

#include "protocol.h"

static void part(const char *name, const char *s) { component(name, s, s ? strlen(s) : 0); }

static void answer(const char *text)
{
	char *scheme, *userinfo, *host, *path, *query, *fragment, number[16];
	int port;
	GError *error = NULL;
	if (!g_uri_split(text, G_URI_FLAGS_ENCODED, &scheme, &userinfo, &host, &port, &path, &query, &fragment, &error)) {
		reject(error->message);
		g_error_free(error);
		return;
	}
	sprintf(number, "%d", port);
	accept_begin();
	part("scheme", scheme);
	part("userinfo", userinfo);
	part("host", host);
	part("port", port < 0 ? NULL : number);
	part("path", path);
	part("query", query);
	part("fragment", fragment);
	accept_end();
	g_free(scheme), g_free(userinfo), g_free(host), g_free(path), g_free(query), g_free(fragment);
}
