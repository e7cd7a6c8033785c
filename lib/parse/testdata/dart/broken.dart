import "late.dart" deferred as late;
import 

void before() {
  print('x';
}

class Half {
  final int = ;
  /// Survives.
  void method() {
    call(1, ;
  }
}

/// Also.
int after(int a) => a;
