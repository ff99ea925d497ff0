# Ruby's URI.parse (Debian: ruby). Run: ruby ruby-uri.rb
# Its port is the scheme's default where the string has none.
require 'uri'
require_relative 'protocol'

serve(URI::Error) do |text|
  u = URI.parse(text) # raises URI::Error
  {
    scheme: u.scheme,
    userinfo: u.userinfo,
    host: u.host&.sub(/\A\[(.*)\]\z/, '\1'),
    port: u.port&.to_s,
    path: u.opaque || u.path,
    query: u.query,
    fragment: u.fragment
  }
end
