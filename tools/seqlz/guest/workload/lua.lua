-- SPDX-License-Identifier: GPL-2.0-only
-- lua.lua TEXT LINES: as python.py
local lines, index = {}, {}
for line in io.lines(arg[1]) do
	if #lines >= tonumber(arg[2]) then
		break
	end
	local words = {}
	lines[#lines + 1] = line
	for word in line:gmatch("%S+") do
		words[#words + 1] = word
		if #words == 2 then
			break
		end
	end
	index[#lines] = words
end
io.write("ready\n")
io.flush()
local half = #lines // 2
for request in io.lines() do
	local start, total = tonumber(request) % 2 * half, 0
	for i = start + 1, start + half do
		total = total + #lines[i]
		for _, word in ipairs(index[i]) do
			total = total + #word
		end
	end
	io.write(total, "\n")
	io.flush()
end
