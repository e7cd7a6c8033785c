defmodule Shop.Shelf do
  @moduledoc """
  Shelves of books.

      iex> Shop.Shelf.new()
  """
  use GenServer
  import Ecto.Query, only: [from: 2]
  alias Shop.{Book, Rack}
  alias Shop.Store, as: S
  require Logger

  @limit 12
  @names ~w(a b)a
  @behaviour Shop.Holder

  @typedoc "A shelf."
  @type t :: %__MODULE__{books: [Book.t()]}
  @typep pos(n) :: {n, n}
  @opaque handle :: pid

  @doc "Called when full."
  @callback full(t) :: :ok | {:error, term}
  @macrocallback hook(x) :: Macro.t() when x: atom

  @enforce_keys [:books]
  defstruct [:books, limit: @limit]

  @doc "Makes a shelf."
  @doc since: "1.0"
  @spec new(keyword) :: t
  def new(opts \\ [])
  def new([]), do: %__MODULE__{books: []}

  # of a given size
  def new(opts) when is_list(opts) do
    limit = opts[:limit]
    %__MODULE__{books: [], limit: limit}
  end

  @doc ~S"""
  Puts a "book" in.
  """
  @impl true
  def put(shelf, book), do: add(shelf, book)

  # Not documentation for ExDoc.
  defp add(%{books: books} = shelf, book) do
    %{shelf | books: [book | books]}
  end

  @doc false
  def hidden, do: @limit

  @doc "Other arity."
  def put(shelf), do: shelf

  def left <~> right when is_list(left), do: left ++ right
  def -value, do: value
  def (a +++ b), do: a

  defguard is_full(shelf) when length(shelf.books) > @limit
  defguardp is_none(x) when x == nil
  defdelegate size(shelf), to: Shop.Rack, as: :count

  @doc "Defines books."
  defmacro books(name, do: block) do
    quote do
      @inner 1
      def unquote(name)(), do: :ok
      def all, do: unquote(block)
    end
  end

  defmacrop local_macro(x), do: x

  defmodule Error do
    @moduledoc false
    defexception [:message]
  end
end

defprotocol Shop.Price do
  @moduledoc "What has a price."
  @doc "The price."
  @spec price(t) :: integer
  def price(thing)
end

defimpl Shop.Price, for: Shop.Book do
  def price(book), do: book.price
end

defimpl Shop.Price, for: [Integer, Float] do
  def price(n), do: n
end
