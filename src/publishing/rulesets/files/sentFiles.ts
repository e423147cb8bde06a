import { Type } from '@sinclair/typebox';
import { list, record, text } from '#base/schema/atoms';
import { lookupCsvLimits } from '#engine/rules/read/tables/csvSource';

/** The rule files in the body of a request. */
export const sentFiles = list(
  record({
    path: text(500, { description: '<program code>/<name>.json, or .csv for a table' }),
    text: Type.String({ maxLength: lookupCsvLimits.bytes, description: 'The whole file' }),
  }),
  1000,
  { minItems: 1 },
);
