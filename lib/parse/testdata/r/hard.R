#!/usr/bin/env Rscript
library(dplyr)
require("stats")
requireNamespace("rlang", quietly = TRUE)
source("helpers.R")
import::from(magrittr, "%>%")

#' Adds two numbers.
#'
#' @param x,y numbers
#' @export
add <- function(x, y = 2) {
  inner <- function(z) z
  helper = function(a) a
  stats::median(c(x, y))
}

sub = function(x) x - 1
function(x) x * 2 -> twice
lam <- \(x) x + 1
`%+%` <- function(a, b) paste0(a, b)
`my name` <- function() NULL
"quoted" <- function() 1
glob <<- function() 2
`names<-.foo` <- function(x, value) x
print.foo <- function(x, ...) invisible(x)
MAX_SIZE <- 10
config <- list(a = 1, f = function() 3)
x$y <- function() 1
assign("made", function() 1)
if (TRUE) {
  cond <- function() 1
}

setClass("Person", representation(name = "character"))
Acc <- setRefClass("Account", fields = list(balance = "numeric"),
  methods = list(
    deposit = function(x) { balance <<- balance + x },
    show = function() cat(balance)))
setGeneric("area", function(shape) standardGeneric("area"))
setMethod("area", "Circle", function(shape) pi * shape@r^2)
setMethod("show", signature("Circle"), function(object) cat("c"))
setValidity("Person", function(object) TRUE)
setAs("Person", "character", function(from) from@name)
Gen <- setClass(Class = "Gen", slots = c(a = "numeric"))
setClassUnion("NumOrChar", c("numeric", "character"))
setReplaceMethod("name", "Person", function(x, value) x)

#' A stack.
Stack <- R6Class("Stack",
  inherit = Base,
  public = list(
    items = NULL,
    #' @description Pushes.
    push = function(x) {
      local <- function() 1
    },
    initialize = function() {}
  ),
  private = list(
    secret = function() 1
  ),
  active = list(
    size = function() length(self$items)
  )
)
Queue <- R6::R6Class("Queue", public = list(pop = function() 1))

test_that("adds numbers", {
  local <- 1
  f <- function() 1
  expect_equal(add(1, 2), 3)
})
describe("thing", { it("works", { expect_true(TRUE) }) })
local({
  hidden <- function() 1
})
f1 <- f2 <- function() 1
ggproto_thing <- ggproto("Thing", Geom, draw = function(x) 1)
tab <- function(x) UseMethod("tab")
memo <- memoise(function(x) x)
