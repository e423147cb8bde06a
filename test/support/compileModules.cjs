// Compiles what processes of the service load, unless it was done before. Other processes of the tests take it from there.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { compileModules, isCompiled } = require('./compiledModules.cjs');
const { translated } = require('./translateTypeScript.cjs');

const root = path.join(__dirname, '../..');
/** What tests start. Each runs when it is loaded, so only what it imports is loaded here. */
const entries = ['src/server/main.ts', 'workers/main.ts', 'src/commands/import.ts', 'test/support/embeddedOwner.ts'];

if (!isCompiled()) {
  const { write } = compileModules((filename) => {
    const source = readFileSync(filename, 'utf8');
    return filename.endsWith('.ts') ? translated(source, filename).replace(/\n\/\/# sourceMappingURL=.*/, '') : source;
  });
  for (const entry of entries) {
    const file = path.join(root, entry);
    const imported = readFileSync(file, 'utf8').matchAll(/ from '([^']+)';$/gm);
    for (const [, name] of imported) createRequire(file)(name);
  }
  write();
}
