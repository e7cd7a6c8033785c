before <- function(x) {
  y <- (x + 
}

#' Survives.
after <- function(x) x + 1

a = b = 3
10 -> ten
.hidden <- function() NULL

if (TRUE { stop("no") }

Acc$methods(list(close = function() 1), open = function() 2)
setClass("Late", contains = "Base")
last <- function() {
