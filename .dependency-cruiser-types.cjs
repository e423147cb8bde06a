/** The same for imports of types: no circles of files or folders, and none up. Code that two files share is a third file. */
const { forbidden, options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-folder-cycles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    ...forbidden.filter(({ name }) => name.endsWith('-imports-down')),
  ],
  options: { ...options, tsPreCompilationDeps: true },
};
