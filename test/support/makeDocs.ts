import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Makes the files that /docs serves, as `npm run build` does. The sources read them from dist. */
export function makeDocs(): void {
  execFileSync(process.execPath, [path.resolve(__dirname, '../../docs/page/make.mjs')]);
}
