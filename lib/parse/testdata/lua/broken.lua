local M = {}

function M.first(a
  return a
end

--- Survives.
function M.second(b)
  return b
end

local function = 3

function M.third() end

return M
