{-# LANGUAGE CPP, GADTs #-}
-- | Shelves of books.
module Shop.Shelf
  ( -- * Types
    Shelf (..)
  , Sized (size, (<+>))
  , newShelf
  , (+++)
  , pattern Full
  , module Data.Maybe
  ) where

import qualified Data.Map.Strict as M
import Data.Maybe
#ifdef DEBUG
import Debug.Trace (trace)
#endif

-- | A shelf,
-- with its books.
data Shelf a
  = Empty -- ^ nothing on it
  | Shelf { books :: [a] -- ^ the books
          , limit :: !Int
          }
  | a :| [a]
  deriving (Show, Eq)

newtype Rack = Rack { unRack :: [Shelf Int] } deriving stock (Eq)
type Index = M.Map String
type family Elem c where
  Elem [a] = a
data family Box a
data instance Box Int = IntBox Int

data Expr a where
  Lit :: Int -> Expr Int
  -- | Adds.
  Add :: Expr Int -> Expr Int -> Expr Int

{-| What has a size.
-}
class (Show s) => Sized s where
  type Unit s
  -- | The size.
  size :: s -> Int
  size _ = 0
  (<+>), (<->) :: s -> s -> s
  infixl 6 <+>
  {-# MINIMAL (<+>) #-}

instance Sized Rack where
  size (Rack s) = go s
    where
      go = length
  a <+> _ = a

instance Show a => Sized (Shelf a) where
  size = length . books

deriving instance Show Rack

-- | Makes a shelf.
newShelf
  :: Int -- ^ the limit
  -> Shelf a
newShelf n = Shelf [] n
{-# INLINE newShelf #-}

-- Inserts.
insert :: Ord a => a -> Shelf a -> Shelf a
insert x Empty = Shelf [x] 1
-- full ones stay
insert x s
  | isFull s = s
  | otherwise = s { books = add x (books s) }
  where
    add :: a -> [a] -> [a]
    add = (:)
    twice y = y ++ y
    n = 1

infixr 5 +++
(+++) :: [a] -> [a] -> [a]
xs +++ ys = xs ++ ys

x `op` y = x
(f .: g) x y = f (g x y)
(low, high) = (0, 9)
isFull _ = False

pattern Full :: Int -> Shelf a
pattern Full n <- Shelf _ n

foreign import ccall "math.h sin" c_sin :: Double -> Double

#if MIN_VERSION_base(4,9,0)
answer :: Int
answer = 42
#else
oldAnswer :: Int
oldAnswer = 41
#endif

main :: IO ()
main = do
  let y = 1
      show' z = show z
  print y
