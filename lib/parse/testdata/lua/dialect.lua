/* Adds a book.
   It may be lent. */
function Shelf:Add(book)
    for _, other in pairs(self.books) do
        if other == book || !other:IsValid() then continue end
        // Not the same.
        if other != book && other.lent then return end
    end
end

-- Removes a book.
local function remove(book)
    print("a // b", 'c && d')
end
