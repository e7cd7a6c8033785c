// Exports of the old kind.
exports.one = function () {};
exports.TWO = 2;
module.exports.three = () => 3;
module.exports = { Four, five: 5, six() {}, seven: eight };
function Four() {}
function eight() {}
function hidden() {}
module.exports = class Nine {};
define(['dep'], function (dep) {
  var amd = 1;
  return amd;
});
module.exports = function (options) {};
module.exports = { routes: { show() {} } };
