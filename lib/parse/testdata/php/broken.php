<?php

class Before
{
    public function works() {}

    public function fails( { $x = ; }

    public function after() { return 1; }
}

/** Still here. */
function later() {}

class Unclosed
{
    public function last() {
