; makefile
