import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.tools.*;

/**
 * Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1. With the
 * argument "literal" an expression is the source text of a string that holds it.
 */
class Ask {
  public static void main(String[] args) throws Exception {
    String asked = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    int at = asked.indexOf("\"expressions\"");
    List<String> words = new ArrayList<>();
    for (String hex : strings(asked.substring(asked.indexOf('['), at))) {
      byte[] bytes = new byte[hex.length() / 2];
      for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
      words.add(new String(bytes, StandardCharsets.UTF_8));
    }
    List<String> expressions = strings(asked.substring(asked.indexOf('[', at)));
    if (args.length > 0) expressions = literals(expressions);
    for (String e : expressions) {
      StringBuilder line = new StringBuilder();
      try {
        Pattern p = Pattern.compile(e);
        for (String w : words) line.append(p.matcher(w).find() ? 1 : 0);
      } catch (PatternSyntaxException | NullPointerException x) {
        line = new StringBuilder("error");
      }
      System.out.println(line);
    }
  }

  /** Returns the strings that source texts stand for, null for one that does not compile. */
  static List<String> literals(List<String> texts) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Path folder = Files.createTempDirectory("ask");
    List<JavaFileObject> units = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      String source = "public class L" + i + " { public static final String S = " + texts.get(i) + "; }";
      units.add(new SimpleJavaFileObject(URI.create("string:///L" + i + ".java"), JavaFileObject.Kind.SOURCE) {
        @Override
        public CharSequence getCharContent(boolean ignore) {
          return source;
        }
      });
    }
    List<String> options = List.of("-d", folder.toString(), "-proc:none");
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    compiler.getTask(null, null, found, List.of("-proc:none", "-Xmaxerrs", "100000", "-d", folder.toString()), null, units).call();
    List<JavaFileObject> right = new ArrayList<>(units);
    for (Diagnostic<? extends JavaFileObject> d : found.getDiagnostics()) {
      if (d.getKind() == Diagnostic.Kind.ERROR) right.remove(d.getSource());
    }
    if (!right.isEmpty() && !compiler.getTask(null, null, new DiagnosticCollector<>(), options, null, right).call()) {
      throw new Exception("the right ones do not compile");
    }
    List<String> list = new ArrayList<>();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      for (int i = 0; i < texts.size(); i++) {
        boolean ok = right.contains(units.get(i));
        list.add(ok ? (String) loader.loadClass("L" + i).getField("S").get(null) : null);
      }
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
    return list;
  }

  /** Returns the strings of an array of strings. */
  static List<String> strings(String array) {
    List<String> list = new ArrayList<>();
    for (int i = array.indexOf('"'); i >= 0; i = array.indexOf('"', i + 1)) {
      StringBuilder s = new StringBuilder();
      while (array.charAt(++i) != '"') {
        char c = array.charAt(i);
        if (c == '\\') {
          c = array.charAt(++i);
          if (c == 'u') {
            c = (char) Integer.parseInt(array.substring(i + 1, i + 5), 16);
            i += 4;
          } else {
            int k = "bfnrt".indexOf(c);
            if (k >= 0) c = "\b\f\n\r\t".charAt(k);
          }
        }
        s.append(c);
      }
      list.add(s.toString());
    }
    return list;
  }
}
