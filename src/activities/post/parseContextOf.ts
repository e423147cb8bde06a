import type { Request } from '../../http/route';
import type { ParseContext } from './parseActivity';

/** What the activities of a request are parsed with. */
export async function parseContextOf(
  { services, principal }: Pick<Request, 'services' | 'principal'>,
  now: Date,
): Promise<ParseContext> {
  const { db, extDefinitions } = services;
  const { org, versions } = principal;
  return { db, org, now, extDefinitions: await extDefinitions.current(org, versions?.definitionsVersion) };
}
