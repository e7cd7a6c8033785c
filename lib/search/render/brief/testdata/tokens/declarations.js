'use strict';
/**
 * @file Everything.
 */
import def, { named as other } from './mod.js';
import 'side-effect';
export * from "reexport";
const fs = require('fs'), { join, sep: separator } = require('path');
let count = 0; // how many
var a = 1,
  b = function named() {};

/** Adds. */
export function add(x, y = { z: 1 }) {
  function inner() {}
  const local = 1;
  const helper = (v) => { return v; };
  const small = v => v;
  return x + y;
}

// Line one.
// Line two.
export const arrow = async (x) => x * 2;

export const LIMIT = 10, OTHER = 20;

export default class Widget extends Base {
  static #count = 0;
  name = 'x';
  handler = () => { this.x = 1; };
  constructor() { super(); this.method = function () {}; }
  /** Doc of get. */
  get value() { return 1; }
  set value(v) {}
  static async *generate() {}
  #secret() {}
  'quoted name'() {}
  [Symbol.iterator]() {}
}

function* generator() { yield 1; }

function Old() {}
Old.prototype.go = function () { return 1; };
Old.create = () => new Old();
Old.prototype = {
  stop: function () {},
  pause() {},
  nested: { deep() {} },
};

export const api = {
  list() {},
  get: async (id) => { return id; },
  value: 1,
};

(function (root) {
  var inside = 1;
  function iife() { var deeper = 2; }
  root.exported = iife;
})(this);

describe('suite', function () {
  const local = 1;
  it('works', () => {});
});

if (count) {
  const blockScoped = 1;
  function conditional() {}
}

const View = () => <div onClick={() => { }}>{`text ${count}`}</div>;
const Klass = class { m() {} };
export { count, b as renamed };
import('./lazy.js');

// Named where they are given away, wrapped, or in objects of objects.
app.use(async function logger(req) { function nested() {} });
function make() { return function inner() {}; }
(function start() {})();
const timer = new (class Timer extends Base { tick() {} })();
const Mixin = (Base) => class extends Base { mixed() {} };
const cast = /** @type {Handler} */ (function (event) {});
const visitors = { enter: { Program() {} }, 'quoted name': function () {}, list: [{ no() {} }] };
list[0].onclick = function () {};
find(".x").onclick = function () {};
state.cache ??= { flush() {} };
class Secret { constructor() { this.#hidden = () => { }; } }
