# Ruby's URI.parse (Debian: ruby). Run: ruby ruby-uri.rb
# The protocol is in docs/adapter-protocol.md. Its port is the scheme's default where the string has none.
require 'json'
require 'uri'

def parse(text)
  u = URI.parse(text) # raises URI::Error
  raise URI::Error, 'no scheme' unless u.absolute?
  user, password = u.userinfo&.split(':', 2)
  {
    scheme: u.scheme,
    user: user,
    password: password,
    host: u.host&.sub(/\A\[(.*)\]\z/, '\1'),
    port: u.port&.to_s,
    path: u.opaque || u.path,
    search: u.query,
    fragment: u.fragment
  }
end

def answer(request)
  text = request['input'] || request['base64'].unpack1('m')
  { accepted: true, components: parse(text) }
rescue URI::Error => e
  { accepted: false, error: e.message }
end

$stdout.sync = true
$stdin.set_encoding('UTF-8').each_line do |line|
  request = JSON.parse(line)
  puts JSON.generate({ id: request['id'] }.merge(answer(request)), ascii_only: true)
end
