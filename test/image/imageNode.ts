import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** The version of Node in the image. */
export function imageNodeVersion(): string {
  const [, version] = /^FROM node:(\d+\.\d+\.\d+)-/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8')) ?? [];
  if (version === undefined) throw new Error('the Dockerfile names no exact version of node');
  return version;
}

/** Returns the path of the image's Node. Npm keeps it in its cache; its package holds the program and no script. */
export function imageNode(): string {
  const node = `node-${process.platform}-${process.arch}@${imageNodeVersion()}`;
  const requests = ['exec', '--yes', '--prefer-offline', `--package=${node}`, '--', 'node', '-p', 'process.execPath'];
  const { PATH, HOME } = process.env;
  return execFileSync('npm', requests, { cwd: tmpdir(), env: { PATH, HOME }, encoding: 'utf8' }).trim();
}
