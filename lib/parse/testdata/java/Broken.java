package com.example;

public class Broken {
  int before = 1;

  public void cut(int a, {
    int x = ;
  }

  /** Stays. */
  public int after() { return 2; }

  static final int B = = 3;

  void half(

  enum E { ONE, TWO THREE }
  public String last() { return "x; }
}

interface Later {
  void keep();
}
