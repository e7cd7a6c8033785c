// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./A.sol";
import {B, C as D} from "../B.sol";
import * as E from "@oz/E.sol";

/// @notice A free constant.
uint256 constant LIMIT = 10;

type Price is uint128;

struct Pair { uint256 a; address b; }
enum Mode { Off, On }
error Unauthorized(address who);
event Started(uint256 indexed at);

/** @dev Free function. */
function add(Price a, Price b) pure returns (Price) { return a; }

/**
 * @title A token
 * @dev Keeps balances.
 */
abstract contract Token is Base, IToken("x") {
    using SafeMath for uint256;

    /// @dev The owner.
    address public owner;
    mapping(address => uint256) private _balances;
    uint256 internal immutable _cap = 3;
    bytes32 public constant ROLE = keccak256("ROLE");
    function(uint) external returns (uint) callback;

    struct Info { uint256 x; }
    enum State { Idle, Running }
    event Transfer(address indexed from, address to, uint256);
    error Insufficient(uint256 needed);

    /// @notice Only the owner.
    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }
    modifier virt() virtual;

    constructor(address o) Base(o) { owner = o; }
    receive() external payable {}
    fallback(bytes calldata data) external payable {}

    /**
     * @dev Sends.
     */
    function transfer(address to, uint256 value) public virtual override(A, B) onlyOwner returns (bool ok) {
        uint256 local = 1;
        assembly { function inner(a) -> b { b := a } let x := inner(1) }
        return true;
    }
    function _internal() internal pure {}
    function priv() private {}
    function abs() external virtual returns (uint);
    function noVis() {}
    function receive() {}
}

interface IToken {
    /// @dev Total.
    function totalSupply() external view returns (uint256);
    event Approval(address owner);
}

library Lib {
    uint256 constant private X = 1;
    function f(uint256 a) internal pure returns (uint256) { return a; }
}

contract TokenTest is Test {
    function setUp() public {}
    function testTransfer() public { assertTrue(true); }
    function test_RevertIf() public {}
}
