defmodule Broken do
  def first(a, do
    a
  end

  @doc "Survives."
  def second(b) do
    b
  end
end
