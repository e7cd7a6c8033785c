<?php
namespace Shop\Tests {

    use PHPUnit\Framework\Attributes\Test;
    use PHPUnit\Framework\TestCase;

    final class BracedTest extends TestCase
    {
        protected function setUp(): void {}

        public function testItFills(): void
        {
            $this->assertTrue(true);
        }

        #[Test]
        public function it_counts(): void {}

        /**
         * It waits.
         *
         * @test
         */
        public function waits() {}

        /**
            Ends with two stars.
        **/
        public function ends() {}
    }

    class Checks
    {
        #[Test, Group('slow')]
        public function alone() {}

        public function helper() {}

        /**
         * It stays full.
         *
         * @test
         */
        public function it_stays() {}

        /** Not a @test of anything. */
        public function mentions() {}
    }
}

namespace {
    function outside() {}
}
