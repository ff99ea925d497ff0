// Java's java.net.URI, or java.net.URL. Run: java JavaNet.java uri     java JavaNet.java url
// The protocol is in docs/adapter-protocol.md, whose requests have a fixed form, so that no JSON library is needed.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class JavaNet {
    static final Pattern REQUEST = Pattern.compile("\\{\"id\":(\\d+),\"(input|base64)\":\"(.*)\"\\}", Pattern.DOTALL);
    static final Pattern ESCAPE = Pattern.compile("\\\\(u([0-9a-f]{4})|.)");

    static String[] uri(String text) throws Exception {
        URI u = new URI(text);
        String path = u.isOpaque() ? u.getRawSchemeSpecificPart() : u.getRawPath();
        return parts(u.getScheme(), u.getRawUserInfo(), u.getHost(), u.getPort(), path, u.getRawQuery(), u.getRawFragment());
    }

    static String[] url(String text) throws Exception {
        URL u = new URL(text);
        return parts(u.getProtocol(), u.getUserInfo(), u.getHost(), u.getPort(), u.getPath(), u.getQuery(), u.getRef());
    }

    static String[] parts(String scheme, String login, String host, int port, String path, String query, String fragment) {
        return new String[] {
            "scheme", scheme, "userinfo", login,
            "host", host == null ? null : host.replaceAll("^\\[(.*)\\]$", "$1"), "port", port < 0 ? null : "" + port,
            "path", path, "query", query, "fragment", fragment};
    }

    static String quote(String s) {
        if (s == null) return "null";
        StringBuilder b = new StringBuilder("\"");
        for (char c : s.toCharArray()) {
            b.append(c == '"' || c == '\\' || c < ' ' || c > '~' ? String.format("\\u%04x", (int) c) : "" + c);
        }
        return b.append('"').toString();
    }

    static String answer(boolean uri, String text) {
        try {
            StringBuilder b = new StringBuilder("\"accepted\":true,\"components\":{");
            String[] parts = uri ? uri(text) : url(text);
            for (int i = 0; i < parts.length; i += 2) {
                b.append(i == 0 ? "" : ",").append(quote(parts[i])).append(':').append(quote(parts[i + 1]));
            }
            return b.append('}').toString();
        } catch (Exception e) {
            return "\"accepted\":false,\"error\":" + quote(e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        PrintStream out = new PrintStream(System.out, true, "US-ASCII");
        for (String line; (line = in.readLine()) != null; ) {
            Matcher m = REQUEST.matcher(line);
            if (!m.matches()) throw new Exception("not a request: " + line);
            String text = ESCAPE.matcher(m.group(3)).replaceAll(e -> Matcher.quoteReplacement(
                e.group(2) == null ? e.group(1) : "" + (char) Integer.parseInt(e.group(2), 16)));
            String answer = m.group(2).equals("input") ? answer(args[0].equals("uri"), text)
                : "\"accepted\":null,\"error\":\"bytes that are not UTF-8 are not a string here\"";
            out.print("{\"id\":" + m.group(1) + "," + answer + "}\n");
            out.flush();
        }
    }
}
