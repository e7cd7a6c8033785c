#include "shapes.hpp"

namespace fs = std::filesystem;

static int calls = 0;
const char* const kName = "shapes";
std::vector<int> sizes{1, 2};
int geo::Counter::total_ = 3;
auto twice = [](int x) { int y = x; return 2 * y; };

/// Outside of its class.
template <typename T, int N>
void Shape<T, N>::scale(double by) {
  struct Step { void take() {} };
}

template <class T>
T& Box<T>::Iterator::operator*() const { return *p_; }

Canvas::Canvas(int width) : width_(width), height_(2) {}
Canvas::~Canvas() {}
Canvas& Canvas::operator=(const Canvas& other) { return *this; }
Canvas::operator int() const { return width_; }
void a::b::Canvas::draw(const Shape& s) const { }
const std::string& Canvas::name() const { return name_; }
char** Canvas::rows() try { return 0; } catch (...) { throw; }

std::ostream& operator<<(std::ostream& out, const Canvas& c) { return out; }
void* operator new(size_t n) { return malloc(n); }
long double operator""_km(long double v) { return v; }
template <> int parse<int>(const char* text) { return 0; }
[[nodiscard]] static bool empty() { return true; }
extern "C" int c_entry(void) { return 1; }

extern "C" {
int c_other(void) { return 2; }
}

requires_t f() requires true { }

HRESULT STDMETHODCALLTYPE Shape::Query(REFIID riid) { return find(riid); }
void MYAPI Shape::Hide() {}
ULONG __stdcall Shape::AddRef() { return 1; }
