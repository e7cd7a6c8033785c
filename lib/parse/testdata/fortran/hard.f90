!> Kinds.
module kinds_mod
  use, intrinsic :: iso_fortran_env, only: real64, int32
  use other_mod
  implicit none
  private
  public :: add, point, operator(+)

  !> Double.
  integer, parameter :: dp = real64, sp = 4
  real(dp) :: counter = 0.0_dp   !! trailing doc
  integer, save, public :: shared
  PARAMETER (pi = 3.14)

  !> A point.
  type, public :: point
    real :: x = 0  !< x
    real :: y
  contains
    procedure :: norm => point_norm
    procedure, pass(self) :: scale
    procedure(iface), deferred :: area
    generic :: operator(+) => add_points
    generic, public :: set => set_a, set_b
    final :: destroy
  end type point

  type, extends(point), abstract :: shape
  end type

  enum, bind(c)
    enumerator :: red = 1, green
  end enum

  interface add
    !! Adds.
    module procedure add_int, add_real
    pure module function add_ext(a) result(b)
      integer, intent(in) :: a
      integer :: b
    end function add_ext
  end interface add

  interface operator(+)
    procedure plus
  end interface

  abstract interface
    subroutine iface(self)
      import :: point
      class(point), intent(in) :: self
    end subroutine
  end interface

  interface
    integer function c_strlen(s) bind(c, name="strlen")
    end function
  end interface

contains

  !> Adds integers.
  !! More.
  pure elemental function add_int(a, b) result(c)
    integer, intent(in) :: a, b
    integer :: c
    c = a + b
  end function add_int

  subroutine outer(x)
    !! Doc inside.
    !! More inside.
    ! No doc.
    real, intent(inout) :: x
    integer, parameter :: local = 3
    call inner()
  contains
    subroutine inner()
      x = 1
    end subroutine inner
  end subroutine outer

  real(dp) function typed(a)
    typed = a
  end function

  recursive integer function fact(n) result(r)
  end function fact
end module kinds_mod

submodule (kinds_mod:parent_sub) impl
contains
  module procedure add_ext
    b = a
  end procedure add_ext
  module subroutine other_impl(a)
    integer :: a
  end subroutine
end submodule impl

PROGRAM Main
  USE kinds_mod, ONLY: add
  IMPLICIT NONE
  INTEGER :: i
  include 'x.inc'
  PRINT *, add(1, 2)
CONTAINS
  SUBROUTINE Helper
  END SUBROUTINE Helper
END PROGRAM Main

block data init
  common /blk/ a
end

subroutine bare(n)
  integer n
end
#include "foo.h"
#define N 3
