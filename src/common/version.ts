import { statSync } from 'node:fs';
import { version as packageVersion } from '../../package.json';

/** What is running: the package's version, and as build the UTC time at which this code was written to disk. */
export interface Version {
  version: string;
  build: string;
}

let running: Version | undefined;

/** Gives the version and build of the running service. */
export function runningVersion(): Version {
  running ??= { version: packageVersion, build: buildOf(statSync(__filename).mtime) };
  return running;
}

/** For example `20260131T134500Z`. */
function buildOf(writtenAt: Date): string {
  return writtenAt.toISOString().replace(/[-:]|\.\d+/g, '');
}
