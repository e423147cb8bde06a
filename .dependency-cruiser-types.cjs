/** No circles of files or folders; imports of types count too. Code that two files share belongs in a third file. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-folder-cycles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: { ...options, tsPreCompilationDeps: true },
};
