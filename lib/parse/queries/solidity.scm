; solidity
