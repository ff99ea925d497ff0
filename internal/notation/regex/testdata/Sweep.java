import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;

/** Answers a sweep, as sweep.py says. */
class Sweep {
  public static void main(String[] args) throws Exception {
    StringBuilder all = new StringBuilder();
    for (int c = 0; c < 0x110000; c++) if (c < 0xd800 || c > 0xdfff) all.appendCodePoint(c);
    String everything = all.toString(), candidates = "";
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    for (String line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
      String[] f = line.split(" ", -1);
      if (f[0].equals("V")) {
        out.println(Runtime.version().feature());
      } else if (f[0].equals("C")) {
        StringBuilder b = new StringBuilder();
        for (int i = 1; i < f.length; i++) b.appendCodePoint(Integer.parseInt(f[i], 16));
        candidates = b.toString();
      } else if (f[0].equals("E")) {
        try {
          StringBuilder b = new StringBuilder();
          Matcher m = Pattern.compile(text(f[1])).matcher(everything);
          while (m.find()) b.append(Integer.toHexString(m.group().codePointAt(0))).append('-').append(Integer.toHexString(m.group().codePointBefore(m.group().length()))).append(' ');
          out.println(b);
        } catch (PatternSyntaxException x) {
          out.println("error");
        }
      } else if (f[0].equals("S")) {
        try {
          StringBuilder b = new StringBuilder(candidates), ranges = new StringBuilder();
          for (int c = Integer.parseInt(f[2], 16); c <= Integer.parseInt(f[3], 16); c++) if (c < 0xd800 || c > 0xdfff) b.appendCodePoint(c);
          Matcher m = Pattern.compile(text(f[1])).matcher(b);
          while (m.find()) ranges.append(Integer.toHexString(m.group().codePointAt(0))).append('-').append(Integer.toHexString(m.group().codePointAt(0))).append(' ');
          out.println(ranges);
        } catch (PatternSyntaxException x) {
          out.println("error");
        }
      } else {
        String before = text(f[1]), after = text(f[2]);
        for (int c = Integer.parseInt(f[3], 16); c <= Integer.parseInt(f[4], 16); c++) {
          if (c >= 0xd800 && c < 0xe000) continue;
          try {
            TreeSet<Integer> found = new TreeSet<>();
            Matcher m = Pattern.compile(before + literal(c) + after).matcher(candidates + Character.toString(c));
            while (m.find()) found.add(m.group().codePointAt(0));
            if (found.size() != 1 || found.first() != c) {
              out.print(Integer.toHexString(c));
              for (int d : found) out.print(" " + Integer.toHexString(d));
              out.println();
            }
          } catch (PatternSyntaxException x) {
            out.println(Integer.toHexString(c) + " error");
          }
        }
        out.println(".");
      }
    }
    out.flush();
  }

  static String literal(int c) {
    if (c < 2) return "\\x0" + c;
    return ("^$\\.*+?()[]{}|/".indexOf(c) >= 0 ? "\\" : "") + Character.toString(c);
  }

  static String text(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
