# Reads {text, names, words} and writes for each word null or the spans of the groups, in bytes.
require 'json'
q = JSON.parse($stdin.read)
re = Regexp.new(q['text'])
puts JSON.generate(q['words'].map { |w|
  m = re.match([w].pack('H*').force_encoding('UTF-8'))
  m && q['names'].map { |n| m.begin(n) && [m.pre_match.bytesize + m[0][0, m.begin(n) - m.begin(0)].bytesize, m.pre_match.bytesize + m[0][0, m.end(n) - m.begin(0)].bytesize] }
})
