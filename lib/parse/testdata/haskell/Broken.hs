module Broken where

first :: Int -> Int
first x = case x of
  0 -> ] 1
  _ -> 2

-- | Survives.
second :: Int -> Int
second x = x

data T = A | B
