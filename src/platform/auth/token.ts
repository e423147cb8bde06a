import type { KeyObject } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import jwt from 'jsonwebtoken';
import { ServiceError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { objectId, record } from '#base/schema/atoms';
import { compileCheck } from '#base/schema/parse';

const issuer = 'loyalty-service';
const audience = 'loyalty-api';

/** The longest token that is verified. Tokens of this service have about 350 characters. */
const tokenCharsMax = 2000;

/** The payload of a token. It names user, org and session; roles are always read from the user. */
const payloadSchema = record({
  iss: Type.Literal(issuer),
  aud: Type.Literal(audience),
  sub: objectId('User'),
  org: objectId('Org'),
  jti: objectId('Session'),
  iat: Type.Integer({ minimum: 0 }),
  exp: Type.Integer({ minimum: 0 }),
});

/** The ids that a token carries. */
export interface TokenClaims {
  userId: ObjectId;
  org: ObjectId;
  sessionId: ObjectId;
}

/** The claims of a verified token, and when it expires. */
export interface ReadToken extends TokenClaims {
  expiresAt: Date;
}

/** Signs the token of a session. */
export function signToken(key: KeyObject, claims: TokenClaims, issuedAt: Date, expiresAt: Date): string {
  const payload = {
    iss: issuer,
    aud: audience,
    sub: claims.userId.toHexString(),
    org: claims.org.toHexString(),
    jti: claims.sessionId.toHexString(),
    iat: seconds(issuedAt),
    exp: seconds(expiresAt),
  };
  return jwt.sign(payload, key, { algorithm: 'HS256' });
}

const faultsOf = compileCheck(payloadSchema);

/**
 * Verifies a token and reads its claims. It accepts only HS256, this service's issuer and audience, and exactly the
 * claims of {@link signToken}.
 * @throws ServiceError 1120 when the token is malformed, not valid or expired
 */
export function readToken(key: KeyObject, token: string, now: Date): ReadToken {
  if (token.length > tokenCharsMax) throw unauthenticated(message('auth.tokenMalformed'));
  const payload = verifiedPayload(key, token, now);
  if (!isPayload(payload)) throw unauthenticated(message('auth.tokenMalformed'));
  const { sub, org, jti, exp } = payload;
  return {
    userId: new ObjectId(sub),
    org: new ObjectId(org),
    sessionId: new ObjectId(jti),
    expiresAt: new Date(exp * 1000),
  };
}

/** Makes the 401 answer for a token that is missing, malformed or expired, or whose session has ended. */
export function unauthenticated(reason: Message): ServiceError {
  return new ServiceError('unauthenticated', reason, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function verifiedPayload(key: KeyObject, token: string, now: Date): unknown {
  try {
    return jwt.verify(token, key, { algorithms: ['HS256'], issuer, audience, clockTimestamp: seconds(now) });
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw unauthenticated(message('auth.tokenExpired'));
    throw unauthenticated(message('auth.tokenNotValid'));
  }
}

function isPayload(payload: unknown): payload is Static<typeof payloadSchema> {
  return faultsOf(payload).length === 0;
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
