# Reads {words, expressions} as JSON, words in hexadecimal, and prints for each expression a line: "error", or 0 and 1.
require "json"
$VERBOSE = nil
asked = JSON.parse(STDIN.read)
words = asked["words"].map { |w| [w].pack("H*").force_encoding("UTF-8") }
asked["expressions"].each do |e|
  begin
    re = Regexp.new(e)
    puts words.map { |w| re.match?(w) ? 1 : 0 }.join
  rescue RegexpError
    puts "error"
  end
end
