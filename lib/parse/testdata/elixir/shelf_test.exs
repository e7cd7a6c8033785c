defmodule Shop.ShelfTest do
  use ExUnit.Case, async: true

  @moduletag :slow
  @book %{title: "A"}

  setup do
    {:ok, shelf: Shop.Shelf.new()}
  end

  # Puts in.
  test "puts a book", %{shelf: shelf} do
    assert Shop.Shelf.put(shelf, @book)
  end

  describe "size/1" do
    @tag :big
    test "of an \"empty\" shelf" do
      size = 0
      assert size == 0
    end

    test "pending"
  end

  defp helper(x), do: x
end
