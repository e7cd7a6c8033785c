function first(a
    a
end

"Survives."
function second(b)
    b
end

_third() = 3
