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
