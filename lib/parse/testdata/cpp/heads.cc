// Heads of declarations that macros write.
module;
#include <vector>
export module shapes.heads:parts;
import std;

export class __shapes_api Reader final : public Base {
 public:
  virtual void reset() {};
  STDMETHOD(Query)(REFIID id, void **out) { return 1; }
  STDMETHOD_(ULONG, Release)() override { return 1; }
};

RUN_F(Fixture, measure)(State &state) {
  for co_await (auto s : state) {}
}

TEST(Single) { check(); }

__global__ void __launch_bounds__(256, 2) kernel(float *a) {}
