%% A shelf of books.
%% It has a limit.
-module(shelf).
-behaviour(gen_server).
-author("ann").

-include("shelf.hrl").
-include_lib("kernel/include/logger.hrl").
-import(lists, [map/2, foldl/3]).

-export([new/0, new/1, add/2]).
-export([init/1, handle_call/3]).
-export_type([book/0]).

-define(LIMIT, 12).
-define(TITLE(Book), Book#book.title).

-record(book, {
    title :: string(),   % as printed
    year = 0 :: integer()
}).

-type book() :: #book{}.
-type pair(A) :: {A, A}.
-opaque handle() :: pid().

-callback full(Shelf :: list()) -> ok | {error, term()}.

%% @doc Makes a shelf.
-spec new() -> list().
new() ->
    new(?LIMIT).

new(Limit) when is_integer(Limit) ->
    queue:new(Limit).

%% Adds a book.
%% The shelf may be full.
-spec add(book(), list()) -> list().
add(Book, Shelf) when length(Shelf) >= ?LIMIT ->
    throw({full, Book});
add(#book{} = Book, Shelf) ->
    log(Book),
    shelf_store:put(Book),
    F = fun(B) -> ?TITLE(B) end,
    map(F, [Book | Shelf]).

% not exported
log(Book) ->
    ?LOG_INFO("~p", [Book]),
    Next = fun ?MODULE:new/1,
    gen_server:call(self(), Next).

'quoted-name'() -> ok.

-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").
add_test() ->
    ?assertEqual([a], add(a, [])).
-endif.
