// Shapes and what can be done with them.
#pragma once
#include <memory>
#include "base/config.h"

namespace geo::plane {

class Canvas;
using Id = unsigned;  // of a shape
template <typename T> using Ptr = std::unique_ptr<T>;

/// Something with an area.
template <typename T>
concept Areal = requires(T t) { t.area(); };

// The most there can be.
inline constexpr int kMax = 10;
template <typename T> constexpr bool kFlat = true;

/// A shape.
///
/// Of any kind.
template <typename T, int N = 3>
class Shape final : public Base<T> {
  int hidden() const { return 0; }

 public:
  using value_type = T;
  enum class Edge : char { kSharp, kRound = 2 };
  static constexpr int kSides = N;  ///< how many
  static int made;

  Shape() : id_(0), name_("") {}
  explicit Shape(int id) noexcept : id_(id) {}
  Shape(const Shape&) = delete;
  Shape& operator=(Shape&&) = default;
  virtual ~Shape() {}

  /** Compares. */
  bool operator==(const Shape& o) const { return id_ == o.id_; }
  operator bool() const { return true; }
  T& at(int i) { return sides_[i]; }
  const T* begin() const& { return sides_; }
  virtual double area() const = 0;
  template <typename U>
  U as() const {
    auto convert = [](T t) { int local = 0; return U(t); };
    return convert(sides_[0]);
  }
  auto size() const -> int { return N; }

  // A friend that is no member.
  friend bool operator<(const Shape& a, const Shape& b) { return a.id_ < b.id_; }
  friend class Canvas;

  struct Hash {
    int operator()(const Shape& s) const { return s.id_; }
  };

 protected:
  void changed() { ++id_; }

 private:
  struct Impl { int x; };
  void forget() {}
  int id_;
  T sides_[N];
};

template <>
class Shape<void> {};

union Raw { int i; float f; };
enum Unit { kMetre, kFoot };

namespace {
int counter;
void helper() {}
class Local { public: void run() {} };
}  // namespace

inline namespace v2 { struct Newer {}; }

}  // namespace geo::plane

#define GEO_CHECK(x) ((x) ? 1 : 0)
