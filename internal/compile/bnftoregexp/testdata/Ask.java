import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;

/** Reads {text, names, words}, names and words without escapes, and writes for each word null or the spans of the groups, in bytes. */
class Ask {
  public static void main(String[] args) throws Exception {
    String asked = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    String text = unescaped(find(asked, "\"text\":\"([^\"\\\\]*(?:\\\\.[^\"\\\\]*)*)\""));
    List<String> names = strings(find(asked, "\"names\":\\[([^\\]]*)\\]")), answers = new ArrayList<>();
    Pattern p = Pattern.compile(text);
    for (String hex : strings(find(asked, "\"words\":\\[([^\\]]*)\\]"))) {
      byte[] bytes = HexFormat.of().parseHex(hex);
      String word = new String(bytes, StandardCharsets.UTF_8);
      Matcher m = p.matcher(word);
      if (!m.find()) {
        answers.add("null");
        continue;
      }
      List<String> spans = new ArrayList<>();
      for (String n : names)
        spans.add(m.start(n) < 0 ? "null" : "[" + length(word, m.start(n)) + "," + length(word, m.end(n)) + "]");
      answers.add("[" + String.join(",", spans) + "]");
    }
    System.out.println("[" + String.join(",", answers) + "]");
  }

  static String find(String asked, String what) {
    Matcher m = Pattern.compile(what).matcher(asked);
    if (!m.find()) throw new IllegalArgumentException(what);
    return m.group(1);
  }

  static List<String> strings(String list) {
    List<String> found = new ArrayList<>();
    Matcher m = Pattern.compile("\"([^\"]*)\"").matcher(list);
    while (m.find()) found.add(m.group(1));
    return found;
  }

  static int length(String word, int end) {
    return word.substring(0, end).getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns what a string of JSON stands for. */
  static String unescaped(String text) {
    StringBuilder s = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        c = text.charAt(++i);
        if (c == 'u') {
          c = (char) Integer.parseInt(text.substring(i + 1, i + 5), 16);
          i += 4;
        } else if ("bfnrt".indexOf(c) >= 0) {
          c = "\b\f\n\r\t".charAt("bfnrt".indexOf(c));
        }
      }
      s.append(c);
    }
    return s.toString();
  }
}
