# Reads [{value, call, words}] and writes for each {expression, answers}. The first argument is the folder of the modules.
$LOAD_PATH.unshift(ARGV[0] + '/usr/lib/ruby/3.1.0')
require 'json'
require 'uri'
puts JSON.generate(JSON.parse($stdin.read).map { |q|
  a = { expression: '', answers: [] }
  a[:expression] = eval(q['value']).source if q['value']
  if q['call']
    f = eval(q['call'])
    a[:answers] = q['words'].map do |w|
      begin
        !!f.(w)
      rescue URI::Error
        false
      end
    end
  end
  a
})
