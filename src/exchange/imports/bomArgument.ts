import { Type } from '@sinclair/typebox';

/** The argument by which a CSV file begins with a byte order mark. */
export const bomArgument = {
  description: 'true: the CSV file begins with a byte order mark, by which Excel knows that it is UTF-8',
  schema: Type.Boolean(),
};

/** Why a file in another format has no such mark. */
export const bomFault = 'bom=true is for format=csv alone';
