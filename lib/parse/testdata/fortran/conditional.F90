module shelf
  implicit none
#define LIMIT 3
contains

  !> The current folder.
  subroutine folder(unit, fmt)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: fmt
    interface
      function get_folder(path) result(code) &
#ifndef _WIN32
            bind(C, name="getcwd")
#else
            bind(C, name="_getcwd")
#endif
        integer :: code
      end function get_folder
    end interface
    write(unit, fmt) "a folder", 1
    write (unit, fmt, iostat=code) "fmt)"
  end subroutine folder

  !> Another.
  function another() result(n)
    integer :: n
    n = LIMIT
  end function another
end module shelf
