import { Type } from '@sinclair/typebox';
import { lookupCsvLimits } from '../../rules/read/tables/csvSource';
import { list, record, text } from '../../schema/atoms';

/** The rule files in the body of a request. */
export const sentFiles = list(
  record({
    path: text(500, { description: '<program code>/<name>.json, or .csv for a table' }),
    text: Type.String({ maxLength: lookupCsvLimits.bytes, description: 'The whole file' }),
  }),
  1000,
  { minItems: 1 },
);
