/* Parses the URLs of a file, one a line, with uriparser until the given time (in milliseconds) is over, and prints the
 * nanoseconds per URL of the best round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uriparser/Uri.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(int argc, char **argv) {
	FILE *f = argc == 3 ? fopen(argv[1], "rb") : NULL;
	if (!f || fseek(f, 0, SEEK_END)) return 1;
	long size = ftell(f);
	rewind(f);
	char *text = malloc(size + 1);
	if (!text || fread(text, 1, size, f) != (size_t)size) return 1;
	text[size] = 0;
	long n = 0;
	for (char *p = text; (p = strchr(p, '\n')); p++) n++;
	char **line = malloc((n + 1) * sizeof *line);
	if (!line) return 1;
	long k = 0;
	for (char *p = text, *q; (q = strchr(p, '\n')); p = q + 1) {
		*q = 0;
		line[k++] = p;
	}
	long repeat = n < 1000 ? 1000 / n : 1;
	double best = 0, end = now() + atof(argv[2]) * 1e6;
	do {
		double start = now();
		for (long r = 0; r < repeat; r++)
			for (long i = 0; i < n; i++) {
				UriUriA uri;
				const char *at;
				if (uriParseSingleUriA(&uri, line[i], &at) == URI_SUCCESS) uriFreeUriMembersA(&uri);
			}
		double ns = (now() - start) / (repeat * n);
		if (best == 0 || ns < best) best = ns;
	} while (now() < end);
	printf("%f\n", best);
	return 0;
}
