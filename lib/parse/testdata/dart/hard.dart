// Copyright.

/// The library doc.
@TestOn('vm')
library my.lib;

import 'dart:io';
import 'package:http/http.dart' as http show Client;
import 'stub.dart' if (dart.library.io) 'io.dart' as d;
export 'src/a.dart' hide B;
part 'hard.g.dart';
part of 'other.dart';

/// A top-level constant.
const int maxSize = 10;
final String greeting = 'hi';
var counter = 0, other = 1;
late final Foo lazy;
int? nullable;
const _private = 3;

typedef Compare<T> = int Function(T a, T b);
typedef int OldStyle(int a);

/// Adds.
int add(int a, [int b = 0]) => a + b;
void main(List<String> args) async {
  int inner(int x) { return x; }
  final local = 1;
  void Function() cb = () {};
}
external int native(int x);
get topGetter => 1;
set topSetter(int v) {}
Stream<int> gen() async* { yield 1; }

/// A class.
@immutable
abstract class Animal<T extends Object> extends Base<T> with Mix, Other implements I {
  /// The name.
  final String name;
  static const int legs = 4;
  static final _cache = <String, int>{};
  int _age = 0, weight = 1;
  late String later;
  @override
  final T? value;

  /// Creates.
  Animal(this.name, {required int age, super.key}) : _age = age, super() {
    print('x');
  }
  const Animal.empty() : name = '';
  Animal.redirect(String n) : this(n, age: 1);
  factory Animal.fromJson(Map<String, dynamic> json) => Dog(json['n']);
  factory Animal.alias() = Dog;
  const factory Animal.c() = Dog.c;
  factory Animal.body() { return Dog(); }

  /// Getter.
  int get age => _age;
  set age(int v) { _age = v; }
  static int get count { return 1; }

  /// Speaks.
  @override
  void speak();
  Future<void> run() async { }
  bool operator ==(Object other) => true;
  int operator [](int i) => 1;
  void operator []=(int i, int v) {}
  Animal operator +(Animal o) => this;
  Animal operator -() => this;
  bool operator <=(Animal o) => true;
  int operator ~() => 1;
  static void helper<X>(X a) {}
  void _secret() {}
  external void ext();
  T call<T>() => null;
}
base mixin Mix on Base implements Q { void m() {} int get g => 1; }
mixin class MC {}
sealed class Shape {}
final class Circle = Base with Mix;
interface class IC {}
enum Color { red, green }
/// An enum.
enum Planet with Mix implements I {
  mercury(1.0),
  /// Second.
  venus(2.0);
  const Planet(this.mass);
  final double mass;
  double get g => mass;
  static Planet parse(String s) => mercury;
}
extension StringX on String {
  /// Shout.
  String shout() => toUpperCase();
  int get len => length;
}
extension on int { int twice() => this * 2; }
extension type Id(int value) implements int { Id.zero() : this(0); bool get ok => true; }
class _Hidden { void visible() {} }
@JsonSerializable()
class Annotated { @JsonKey(name: 'x') final int x; Annotated(this.x); }

/// Wraps.
extension type Wrap<T>._(Object ref) implements Base {
  void use() {}
}
