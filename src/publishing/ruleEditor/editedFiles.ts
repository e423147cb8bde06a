import { type Static, Type } from '@sinclair/typebox';
import { list, record } from '#base/schema/atoms';
import { lookupCsvLimits } from '#engine/rules/read/tables/csvSource';

/** The name of a rule file or table as an editor may write it: in the folder of a program, never hidden. */
export const editedPath = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}/[A-Za-z0-9][A-Za-z0-9 ._()-]{0,120}\\.(json|csv)$',
  description: '<program code>/<name>.json, or .csv for a table',
  examples: ['demo/base-earn.json'],
});

/** Maximum number of files that are edited together: a rule file with its tables. */
const filesMax = 20;

/** Changed files: they replace the files with the same path in the folder of rules. */
export const editedFiles = list(
  record({
    path: editedPath,
    text: Type.String({ maxLength: lookupCsvLimits.bytes, description: 'The whole file' }),
  }),
  filesMax,
  { minItems: 1 },
);

/** A changed file. */
export type EditedFile = Static<typeof editedFiles>[number];

/** The code of the program that a file belongs to. */
export function pathProgramCode(path: string): string {
  return path.split('/', 1)[0] ?? '';
}
