# Ruby's Addressable (Debian: ruby-addressable). Run: ruby ruby-addressable.rb
require 'addressable/uri'
require_relative 'protocol'

serve(Addressable::URI::InvalidURIError, ArgumentError, Encoding::CompatibilityError) do |text|
  u = Addressable::URI.parse(text) # raises InvalidURIError
  {
    scheme: u.scheme,
    userinfo: u.userinfo,
    host: u.host&.sub(/\A\[(.*)\]\z/, '\1'),
    port: u.port&.to_s,
    path: u.path,
    query: u.query,
    fragment: u.fragment
  }
end
