pragma solidity ^0.8.20;

using {add as +, sub} for Price global;

contract Half {
    uint256 public total = ;

    /// Survives.
    function before(uint256 a) public pure returns (uint256) {
        return a + ;
    }

    function () external payable {}

    function later() external returns (bytes memory) {
        x = (1 + 2;
    }
}

interface Whole {
    function f() external;
}
