#include "base/shape.h"
#include <memory>

using std::string;
using namespace geometry::flat;

namespace draw {

class Canvas : public Surface<int>, private detail::Buffer {
 public:
  explicit Canvas(Pen& pen) : Surface<int>(pen), pen_(pen), size_{0} {}
  virtual Shape* pick(const Point& at) const = 0;
  static Canvas* open(string name);
  std::unique_ptr<Shape> take() { return shape_->clone(); }
  template <typename T> T get() { return this->convert<T>(count()); }
 private:
  Pen& pen_;
  std::unique_ptr<Shape> shape_;
  std::vector<Shape*> all_;
  detail::Handle handle_ = nullptr;
};

Canvas* Canvas::open(string name) {
  Point start(1, 2);
  Point end{3, 4};
  auto made = new Window(name);
  auto other = std::make_unique<Window>(name);
  Canvas& canvas = *made;
  for (auto& shape : canvas.all_) shape->draw(canvas);
  for (const Shape* s : canvas.list()) s->draw(canvas);
  canvas.pen_.ink().dry(1);
  ::global(start);
  detail::convert<int>(end);
  Canvas::open("x")->pick(start);
  static_cast<Window*>(made)->show();
  if (auto* w = dynamic_cast<Window*>(made)) w->hide();
  auto each = [&](Pen p) { p.lift(); };
  each(Pen(1));
  throw Error("none");
}

void tokens() {
  scan<sign<'+', -1>>(1);
  scan<either<sign<'a'>, sign<'b'>>>(2);
  if (kind == Kind::Open) return;
  switch (kind) { case detail::Kind::Shut: break; }
}

template <typename T>
struct Holder : Base<T> {
  T held;
  void use(T& t) { t.go(); held.go(); }
};

}
