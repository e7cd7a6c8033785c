#include <gtest/gtest.h>

class ShapeTest : public testing::Test {};

// Empty shapes have no area.
TEST(Shape, IsEmpty) {
  EXPECT_TRUE(true);
}
TEST_F(ShapeTest, Grows) { int local = 1; }

TEST_CASE("areas are positive", "[shape]") {
  SECTION("small") { }
}

SCENARIO("drawing") { }

TEST_CASE_METHOD(Fixture, "with a fixture", "[x]") { }
