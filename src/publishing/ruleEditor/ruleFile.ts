import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { notFound } from '#base/common/errors';
import { list, record } from '#base/schema/atoms';
import type { Answer, Request } from '#platform/http/route';
import { ok } from '#platform/http/route';
import { contentHash } from '#publishing/rulesets/files/contentHash';
import { readFiles } from '#publishing/rulesets/files/readFiles';
import { pathProgramCode } from './editedFiles';
import { orgFolder } from './orgFolder';

/** The answer of `GET /rules/files`. */
export const ruleFileAnswer = record({
  path: Type.String(),
  text: Type.String({ description: 'The whole file' }),
  hash: Type.String({ description: 'SHA-256 of the text, for publishing' }),
  isWritable: Type.Boolean({ description: 'The service may write files of this program' }),
  others: list(Type.String(), 5000, { description: 'Paths of the other files of the program' }),
});

/** `GET /rules/files`: a file of the folder of rules as it is now, whatever is in force. */
export async function ruleFile({ services, principal, query }: Request): Promise<Answer> {
  const { path: requestedPath = '' } = query;
  const { folder } = await orgFolder(services, principal.org);
  const code = pathProgramCode(requestedPath);
  const { files } = await readFiles(folder, [code]);
  const found = files.find((file) => file.path === requestedPath);
  if (!found) throw notFound('Rule file');
  const answer: Static<typeof ruleFileAnswer> = {
    ...found,
    hash: hashOfText(found.text),
    isWritable: await isWritable(path.join(folder, code)),
    others: files.map((file) => file.path).filter((each) => each !== requestedPath),
  };
  return ok(answer);
}

/** The hash by which an editor identifies the text that it has changed. */
export function hashOfText(text: string): string {
  return contentHash(text);
}

/** Tells whether the service may make files in a folder, or the folder itself. */
export async function isWritable(folder: string): Promise<boolean> {
  for (const each of [folder, path.dirname(folder)]) {
    try {
      await access(each, constants.W_OK | constants.X_OK);
      return true;
    } catch (error) {
      if (!isMissing(error)) return false;
    }
  }
  return false;
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
