/* The protocol of docs/adapter-protocol.md for adapters in C: its requests have a fixed form, so that no JSON library is
 * needed. An adapter defines answer(), which calls accept_begin, component for each one, accept_end; or reject; or
 * undecided. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void answer(const char *text);

/* put prints n bytes as a JSON string, or as {"base64":...} if they are not printable ASCII. */
static void put(const char *s, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)s;
	size_t i;
	for (i = 0; i < n && p[i] >= ' ' && p[i] <= '~'; i++)
		;
	if (i == n) {
		putchar('"');
		for (i = 0; i < n; i++)
			printf(p[i] == '"' || p[i] == '\\' ? "\\%c" : "%c", p[i]);
		putchar('"');
		return;
	}
	fputs("{\"base64\":\"", stdout);
	for (i = 0; i < n; i += 3) {
		unsigned v = p[i] << 16 | (i + 1 < n ? p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0);
		printf("%c%c%c%c", digits[v >> 18], digits[v >> 12 & 63], i + 1 < n ? digits[v >> 6 & 63] : '=',
		       i + 2 < n ? digits[v & 63] : '=');
	}
	fputs("\"}", stdout);
}

static const char *comma;
static void accept_begin(void) { fputs(",\"accepted\":true,\"components\":{", stdout), comma = ""; }
static void accept_end(void) { putchar('}'); }
static void component(const char *name, const char *s, size_t n)
{
	printf("%s\"%s\":", comma, name), comma = ",";
	s ? put(s, n) : (void)fputs("null", stdout);
}
/* say prints an error, in which a byte that is not printable ASCII is a "?". */
static void say(const char *why)
{
	for (putchar('"'); *why; why++)
		printf(*why == '"' || *why == '\\' ? "\\%c" : "%c", *why >= ' ' && *why <= '~' ? *why : '?');
	putchar('"');
}
static void reject(const char *why) { fputs(",\"accepted\":false,\"error\":", stdout), say(why); }
static void undecided(const char *why) { fputs(",\"accepted\":null,\"error\":", stdout), say(why); }

/* decode undoes escapes or base64 in place, and gives the length. */
static size_t decode(char *s, int base64)
{
	char *from = s, *to = s;
	unsigned v = 0, bits = 0;
	for (; *from && *from != '"' && !(base64 && *from == '='); from++) {
		int c = *from;
		if (base64) {
			v = v << 6 | (c >= 'a' ? c - 'a' + 26 : c >= 'A' ? c - 'A' : c >= '0' ? c - '0' + 52 : c == '+' ? 62 : 63);
			if ((bits += 6) >= 8)
				*to++ = v >> (bits -= 8);
		} else if (c != '\\') {
			*to++ = c;
		} else if (*++from != 'u') {
			*to++ = *from;
		} else {
			char hex[3] = {from[3], from[4]};
			*to++ = strtol(hex, NULL, 16), from += 4;
		}
	}
	*to = 0;
	return to - s;
}

int main(void)
{
	char *line = NULL, *text;
	size_t size = 0, n;
	while (getline(&line, &size, stdin) > 0) {
		int base64 = (text = strstr(line, ",\"input\":\"")) == NULL;
		if (base64 && (text = strstr(line, ",\"base64\":\"")) == NULL)
			return 1;
		*text = 0;
		text += base64 ? strlen(",\"base64\":\"") : strlen(",\"input\":\"");
		n = decode(text, base64);
		fputs(line, stdout); /* {"id":7 */
		strlen(text) < n ? undecided("a NUL ends a string here") : answer(text);
		puts("}");
		fflush(stdout);
	}
	return 0;
}
