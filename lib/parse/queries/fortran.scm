; fortran
