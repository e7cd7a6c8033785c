namespace geo {
GEO_NAMESPACE_BEGIN

class GEO_EXPORT Canvas : public Base {
 public:
  void draw() {}
};

GEO_INLINE void before() {}

void guarded() GEO_LOCKS(mu_) { }

class Plain {
  GEO_OBJECT
 public:
  Plain() : a_(1) {}
  int b() { return 1; }
};

int unfinished( {
}

void after() {}

GEO_NAMESPACE_END
}  // namespace geo

namespace geo {
template <int N, GEO_ENABLE_IF(N > 1)>
class Wide {
  GEO_NO_ADDRESS Shape shape_;
  void locked() const GEO_LOCKS();
  int* geo_nonnull all(int* geo_nullable from, Shape&& by GEO_CAPTURED) GEO_BOUND { return from; }
};
extern template int convert<char>(char c);
int* geo_nonnull after_all() { return nullptr; }
}
