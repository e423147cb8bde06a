import { statSync } from 'node:fs';
import { version as packageVersion } from '../../../package.json';

/** The running code: `version` is the package's; `build` is the UTC time at which this code was written to disk. */
export interface Version {
  version: string;
  build: string;
}

let running: Version | undefined;

export function runningVersion(): Version {
  running ??= { version: packageVersion, build: buildNumber(statSync(__filename).mtime) };
  return running;
}

/** Returns for example `20260131T134500Z`. */
function buildNumber(writtenAt: Date): string {
  return writtenAt.toISOString().replace(/[-:]|\.\d+/g, '');
}
