<?php
class A {
    const T = <<<'SQL'
        select a
        SQL . 'x';
    public function one() {
        $x = [
            <<<'EOT'
            text
            EOT => 1,
            'k' => [<<<'X'
            a
            X],
            <<<"Y"
            a $b
            Y => 2,
        ];
        return foo(<<<'Z'
            EOT
            Z, 3);
    }
    public function two() { return <<<'A'
    A; }
    public function three() {}
}
