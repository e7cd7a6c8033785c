#!/usr/bin/env lua
--- Shelves of books.
-- @module shelf
local json = require "cjson.safe"
local http = require("socket.http").request
local insert = table.insert

local LIMIT <const> = 12
local cache, hits = {}, 0
local pending

--- The shelf class.
local Shelf = { version = "1.0" }
Shelf.__index = Shelf
DEBUG = false

--[[
Makes a shelf.
]]
function Shelf.new(size)
  local self = setmetatable({}, Shelf)
  local function grow(by) self.size = self.size + by end
  local shrink = function() end
  return self
end

--- Puts a book in.
--- @param book table
function Shelf:put(book) -- checked
  local n = 1
  if n > 0 then total = n end
end

function Shelf.index.rows:count() end

-- Counts.
local function count(list) return #list end

function print_all() end

Shelf.walk = function(self, f) return f(self) end
local sort = function(a, b) return a < b end

pending = function() return nil end

-- Packs what it is given.
local pack = table.pack or function(...) return { n = select("#", ...), ... } end
Shelf.trace = DEBUG and function(self)
  print(self)
end

--- Handlers by name.
Shelf.handlers = {
  open = function(self) end,
  ["text/plain"] = function() end,
  [LIMIT] = function() end,
  nested = { deep = function(x) return x end },
  watch = DEBUG and function(x) return x end,
}

Shelf["close"] = function() end

local routes = {
  --- The root.
  get = function() end,
}

for i = 1, 3 do
  local inner = i
end

Shelf.count = count

return {
  Shelf = Shelf,
  sort = sort,
  run = function() end,
}
