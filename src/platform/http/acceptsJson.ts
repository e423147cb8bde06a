import accepts from 'accepts';

/**
 * Tells whether a client takes JSON, by its header `Accept`. Without the header it takes everything. Parameters of a
 * media range, such as `charset`, do not matter: JSON has one encoding, and our answers have no profiles or versions.
 */
export function acceptsJson(accept: string | undefined): boolean {
  const headers = { accept: accept?.replace(quoted, '').replace(parameters, '') };
  return accepts({ headers } as Parameters<typeof accepts>[0]).type('json') !== false;
}

/** A quoted value of a parameter. It may hold semicolons, commas and escaped quotes. */
const quoted = /"(?:[^"\\]|\\.)*"/g;

/**
 * Every parameter of a media range except the weight `q`. With them, the library would not recognize the range as JSON.
 */
const parameters = /;(?!\s*q=)[^;,]*/gi;
