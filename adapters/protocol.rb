# The protocol of docs/adapter-protocol.md for adapters in Ruby.
require 'json'

# word returns a component as JSON can hold it.
def word(part)
  return part if part.nil? || part.dup.force_encoding('UTF-8').valid_encoding?

  { base64: [part].pack('m0') }
end

# serve answers with the components that the block returns of a text, or with what it raises where its parser rejects it.
def serve(*rejects)
  $stdout.sync = true
  $stdin.set_encoding('UTF-8').each_line do |line|
    request = JSON.parse(line)
    answer =
      begin
        parts = yield(request['input'] || request['base64'].unpack1('m'))
        { accepted: true, components: parts.transform_values { |part| word(part) } }
      rescue *rejects => e
        { accepted: false, error: e.message.dup.force_encoding('UTF-8').scrub }
      end
    puts JSON.generate({ id: request['id'] }.merge(answer), ascii_only: true)
  end
end
