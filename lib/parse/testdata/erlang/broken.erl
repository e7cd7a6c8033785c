-module(broken).
-export([second/1]).

first(A ->
    A.

%% Survives.
second(B) ->
    B + 1.
