// Copies the icons that the console and its packages import from the published @mui/icons-material, of the version that
// package.json beside this file names: `node console/icons/copy.mjs`, after a change of an import or of react-admin. The
// whole package has 43,000 files (decision 155). The build fails when an icon is missing.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = import.meta.dirname;
const root = path.join(folder, '../..');
const copied = path.join(folder, 'copied');
const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
const importing = [
  'console/src',
  'node_modules/ra-ui-materialui/dist',
  'node_modules/@react-querybuilder/material/dist',
];

/** The names of all icons that the files below a folder import. */
function iconsIn(place) {
  const files = readdirSync(path.join(root, place), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.(?:m?js|tsx?)$/.test(file) && !file.endsWith('.d.ts'))
    .flatMap((file) => [...readFileSync(path.join(root, place, file), 'utf8').matchAll(/@mui\/icons-material\/(\w+)/g)])
    .map(([, icon]) => icon);
}

/** Downloads the published package and returns its folder in `into`. */
function published(into) {
  execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', into], { cwd: into });
  const [archive] = readdirSync(into);
  execFileSync('tar', ['-xzf', archive], { cwd: into });
  return path.join(into, 'package');
}

const work = mkdtempSync(path.join(tmpdir(), 'icons-'));
try {
  const source = published(work);
  const icons = [...new Set(importing.flatMap(iconsIn))].filter((icon) => existsSync(path.join(source, `${icon}.mjs`)));
  rmSync(copied, { recursive: true, force: true });
  mkdirSync(path.join(copied, 'utils'), { recursive: true });
  for (const file of ['LICENSE', 'utils/createSvgIcon.mjs', ...icons.map((icon) => `${icon}.mjs`)])
    copyFileSync(path.join(source, file), path.join(copied, file));
  writeFileSync(path.join(copied, 'icon.d.ts'), "export { default } from '@mui/material/SvgIcon';\n");
  console.log(`copied ${icons.length} icons of ${name} ${version}`);
} finally {
  rmSync(work, { recursive: true });
}
