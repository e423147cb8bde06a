import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { client } from '../api/client';
import { saveFile } from '../app/saveFile';

/**
 * Saves what the API answers to a path as a file.
 * @throws LoyaltyError when the service refuses
 */
export async function download(path: string, name: string): Promise<void> {
  const called = await client.GET(path as '/api/v1/exports', { params: {} as never, parseAs: 'blob' });
  if (!called.response.ok) throw new LoyaltyError(called.response, called.error);
  saveFile(name, called.data as unknown as Blob);
}
