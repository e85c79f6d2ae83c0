# SPDX-License-Identifier: GPL-2.0-only
# ruby.rb TEXT LINES: as python.py
lines = []
index = Hash.new { |hash, word| hash[word] = [] }
File.foreach(ARGV[0], encoding: 'BINARY') do |line|
  break if lines.size >= ARGV[1].to_i

  line.chomp!
  line.split.first(2).each { |word| index[word] << lines.size }
  lines << line
end
$stdout.sync = true
puts 'ready'
half = lines.size / 2
while (request = $stdin.gets)
  start = request.to_i % 2 * half
  total = 0
  start.upto(start + half - 1) do |i|
    total += lines[i].bytesize
    word = lines[i].split.first
    total += index[word].last & 255 if word
  end
  puts total
end
