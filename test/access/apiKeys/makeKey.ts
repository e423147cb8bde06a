import { ObjectId } from 'bson';
import { type Client, client } from '../../support/client';

/** A key that a test made. */
export interface MadeKey {
  _id: string;
  /** Its text. */
  key: string;
  /** Sends with the key. */
  own: Client;
}

let made = 0;

/** Makes an API key through the API; by default one that may read. */
export async function makeKey(
  url: string,
  maker: Client,
  fields: Record<string, unknown> = { roles: ['reader'] },
): Promise<MadeKey> {
  made += 1;
  const { status, body } = await maker.post('/apikeys', { name: `key ${made} ${new ObjectId()}`, ...fields });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return { _id: body._id, key: body.key, own: client(url, body.key) };
}
