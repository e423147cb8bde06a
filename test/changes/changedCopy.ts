import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const hooks = ['registerTypeScript', 'translateTypeScript', 'compiledModules'];
const watch = ['missedKeys', 'unkeyed', 'watchCommands'].map((name) => `test/support/shardKeys/${name}.ts`);
const settings = ['package.json', 'tsconfig.json', '.oxlintrc.json'];
const copied = ['src', 'workers', ...settings, ...watch, ...hooks.map((name) => `test/support/${name}.cjs`)];

/** A copy of the sources in which a test makes the changes that docs/ARCHITECTURE.md describes. */
export interface ChangedCopy {
  folder: string;
  /** Writes a new file. */
  add(file: string, text: string): void;
  addImport(file: string, line: string): void;
  /** Adds a line after the text `after`, which must occur in the file exactly once. */
  addLine(file: string, after: string, line: string): void;
  remove(): void;
}

/** Copies the sources to a temporary folder. The packages are shared with this checkout. */
export function changedCopy(): ChangedCopy {
  const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-change-'));
  for (const each of copied) cpSync(path.join(root, each), path.join(folder, each), { recursive: true });
  mkdirSync(path.join(folder, 'rules'));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return {
    folder,
    add: (file, text) => writeFileSync(path.join(folder, file), text, { flag: 'wx' }),
    addImport(file, line) {
      const place = path.join(folder, file);
      writeFileSync(place, `${line}\n${readFileSync(place, 'utf8')}`);
    },
    addLine(file, after, line) {
      const before = readFileSync(path.join(folder, file), 'utf8');
      const parts = before.split(after);
      if (parts.length !== 2) throw new Error(`${file} has "${after}" ${parts.length - 1} times`);
      writeFileSync(path.join(folder, file), parts.join(`${after}\n${line}`));
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
