/** No circle of files, imports of types counted: what two files share stands in a third. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [{ name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } }],
  options: { ...options, tsPreCompilationDeps: true },
};
