import 'package:test/test.dart';

void main() {
  late int shared;

  setUp(() {
    shared = 1;
  });

  group('sums', () {
    test('adds', () async {
      int twice(int n) => n * 2;
      expect(twice(shared), 2);
    });
  });

  blocTest<Counter, int>(
    'emits [1]',
    build: () => Counter(),
    act: (c) => c.add(1),
    expect: () => [1],
  );
}

class MockClient extends Mock implements Client {}
