import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { currentSession } from '../session/session';
import { SignedOut, signInAgain } from '../session/signInAgain';

/** How long an upload may make no progress, and the service may take to answer after it, in milliseconds. */
const stillMaxMs = 130_000;

interface Upload {
  path: string;
  file: File;
  type: string;
  /** Told the share that was sent, 0 to 1. */
  onProgress(share: number): void;
}

/**
 * Sends a file as the body of a POST, however long that takes: it is given up only when nothing more of it was sent for
 * some time. `fetch` reports no progress. When the session has ended, it is sent again after the user has signed in.
 * @returns what the service answers; undefined when that is not JSON
 * @throws LoyaltyError when the service refuses; TypeError when the connection is lost or stands still
 */
export async function upload(wanted: Upload): Promise<unknown> {
  const session = currentSession();
  if (!session) throw new SignedOut('Nobody is signed in');
  const answer = await answered(wanted, session.token);
  const last = answer.status === 401 ? await answered(wanted, await signInAgain()) : answer;
  const body: unknown = await last.json().catch(() => undefined);
  if (!last.ok) throw new LoyaltyError(last, body);
  return body;
}

async function answered(wanted: Upload, token: string): Promise<Response> {
  const request = await sent(wanted, token);
  const headers = { 'X-Request-Id': request.getResponseHeader('x-request-id') ?? '' };
  // An answer such as 204 may not even have an empty string.
  return new Response(request.responseText || null, { status: request.status, headers });
}

function sent({ path, file, type, onProgress }: Upload, token: string): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: number;
    const wait = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => request.abort(), stillMaxMs);
    };
    const end = () => window.clearTimeout(timer);
    const lose = () => {
      end();
      reject(new TypeError('The upload was lost'));
    };
    request.upload.onprogress = ({ loaded, total }) => {
      wait();
      onProgress(total > 0 ? loaded / total : 1);
    };
    request.onerror = lose;
    request.onabort = lose;
    request.onload = () => {
      end();
      resolve(request);
    };
    request.open('POST', path);
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.setRequestHeader('Content-Type', type);
    wait();
    request.send(file);
  });
}
