function branch() {}
const always = 1;

export { branch as if, always as true };

/**
 * Over an empty line.
 */

exports.spaced = function (a) {};

/** @typedef {number} Stands alone */

exports.alone = function (a) {};

/** Above an instruction. */
// eslint-disable-next-line no-console
function instructed() {}

export const { increment, decrement: dec, other = 3, third: renamed = dec, ...rest } = slice.actions;
export let [first, , second = 2, ...others] = increment(), { last } = rest;
