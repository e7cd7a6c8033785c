module half
  integer :: = 3
contains
  subroutine before(x)
    call f(1,
  end subroutine before

  !> Survives.
  subroutine after(x)
    real :: x
  end subroutine after
end module half
