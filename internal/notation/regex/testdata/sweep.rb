# Answers a sweep, as sweep.py says.
require "rbconfig"
$VERBOSE = nil
STDIN.set_encoding("UTF-8")
everything = ((0..0xd7ff).to_a + (0xe000..0x10ffff).to_a).pack("U*")
text = ->(hex) { [hex].pack("H*").force_encoding("UTF-8") }
literal = lambda do |c|
  next format("\\x%02x", c) if c < 2
  ("^$\\.*+?()[]{}|/".include?([c].pack("U")) ? "\\" : "") + [c].pack("U")
end
# Onigmo can end a match inside a character, and Ruby takes it for valid: it is written as its bytes, which no code point
# looks like.
points = lambda do |m|
  m.codepoints.map { |d| format("%x", d) }.join("+")
rescue ArgumentError
  "bytes:" + m.unpack1("H*")
end
candidates = ""
STDIN.each_line(chomp: true) do |line|
  f = line.split(/ /, -1)
  case f[0]
  when "V" then puts RUBY_VERSION[/\d+\.\d+/] + " " + RbConfig::CONFIG["UNICODE_VERSION"]
  when "C" then candidates = f[1..].map { |c| c.to_i(16) }.pack("U*")
  when "E"
    begin
      ranges = []
      everything.scan(Regexp.new(text.(f[1]))) { ranges << format("%x-%x", $~[0][0].ord, $~[0][-1].ord) }
      puts ranges.join(" ")
    rescue RegexpError
      puts "error"
    end
  when "S"
    begin
      batch = (f[2].to_i(16)..f[3].to_i(16)).reject { |c| c >= 0xd800 && c < 0xe000 }.pack("U*")
      puts (candidates + batch).scan(Regexp.new(text.(f[1]))).uniq.map { |m| format("%x-%x", m[0].ord, m[-1].ord) }.join(" ")
    rescue RegexpError
      puts "error"
    end
  else
    (f[3].to_i(16)..f[4].to_i(16)).each do |c|
      next if c >= 0xd800 && c < 0xe000
      begin
        found = (candidates + [c].pack("U")).scan(Regexp.new(text.(f[1]) + literal.(c) + text.(f[2]))).uniq.sort
        puts format("%x", c) + " " + found.map { |m| points.(m) }.join(" ") if found != [[c].pack("U")]
      rescue RegexpError
        puts format("%x error", c)
      end
    end
    puts "."
  end
  STDOUT.flush
end
