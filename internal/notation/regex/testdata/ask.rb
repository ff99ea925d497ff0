# Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1.
# With the argument "literal" an expression is the source text of a literal that holds it.
require "json"
$VERBOSE = nil
asked = JSON.parse(STDIN.read)
words = asked["words"].map { |w| [w].pack("H*").force_encoding("UTF-8") }
asked["expressions"].each do |e|
  begin
    re = ARGV == ["literal"] ? eval(e) : Regexp.new(e)
    puts words.map { |w| re.match?(w) ? 1 : 0 }.join
  rescue RegexpError, SyntaxError, NameError
    puts "error"
  rescue EncodingError # /\#@a/u is US-ASCII to Ruby 3.1
    puts "?" * words.size
  end
end
