import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;

/** Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1. */
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
    for (String e : strings(asked.substring(asked.indexOf('[', at)))) {
      StringBuilder line = new StringBuilder();
      try {
        Pattern p = Pattern.compile(e);
        for (String w : words) line.append(p.matcher(w).find() ? 1 : 0);
      } catch (PatternSyntaxException x) {
        line = new StringBuilder("error");
      }
      System.out.println(line);
    }
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
