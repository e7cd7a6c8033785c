"""
Shelves of books.
"""
module Shelves

using Base: show, print
using LinearAlgebra, Statistics
import JSON
import ..Store.Book
import Dates as D
export Shelf, put, @books
public LIMIT

include("racks.jl")

const LIMIT = 12
const LOW, HIGH = 1, 9
const NAMES::Vector{String} = ["a"]
global counter = 0
cache = Dict{String,Int}()

abstract type Holder{T} <: Any end
primitive type Code 8 end

"A level."
@enum Level low=1 middle high

"""
    Shelf(size)

A shelf.
"""
mutable struct Shelf{T} <: Holder{T}
    books::Vector{T}
    "The limit."
    limit::Int
    Shelf{T}(n) where {T} = new{T}(T[], n)
    function Shelf(n::Int)
        new{Any}([], n)
    end
end

struct Point; x; y; end

# Options of a shelf.
Base.@kwdef struct Options
    size = 3
end

"Puts a book in."
function put(s::Shelf{T}, book::T; at=nothing)::Shelf where {T}
    inner(x) = x + 1
    total = 2
    map([1]) do x
        local y = x
    end
    return s
end

@inline fast(x) = x
@inline function slow(x)
    x
end
area(p::Point)::Int = p.x * p.y
wide(p::P) where {P<:Point} = true
Base.show(io::IO, s::Shelf) = print(io, "Shelf")
Base.:+(a::Shelf, b::Shelf) = a
Base.:(==)(a::Shelf, b::Shelf) = true
function Base.iterate(s::Shelf, i=1) where {}
    nothing
end
(s::Shelf)(i) = s.books[i]
Base.Matrix{T}(s::Shelf) where {T} = Matrix{T}(s.books)
function later end

if Sys.iswindows()
    sep() = "\\"
end

"Defines books."
macro books(names...)
    esc(names)
end

_hidden() = 1

for i in 1:3
    loop = i
end

@testset "shelves" begin
    s = Shelf(3)
    @testset "put $x" for x in 1:2
        @test put(s, x) == s
    end
end

end
