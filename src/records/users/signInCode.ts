import { Type } from '@sinclair/typebox';
import { instant, objectId } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/**
 * Codes that a browser gets after the sign-in at the OpenID provider and exchanges for the token. Each is used once.
 */
export const signInCodeResource = defineResource({
  name: 'SignInCode',
  path: 'signincodes',
  fields: {
    user: objectId('User'),
    codeHash: Type.String({ description: 'SHA-256 of the code' }),
    expiresAt: instant(),
  },
  isInternal: true,
  indexes: [
    { keys: { codeHash: 1 }, unique: true },
    { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
});
