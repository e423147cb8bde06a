import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer, Request } from './route';

/**
 * Makes the handler of an answer that stays the same while the process runs. The first request makes its bytes, their
 * compressed form and the ETag, so that later ones cost little: clients without a token may send any number of them.
 */
export function fixedAnswer(
  make: () => Promise<string | Buffer>,
  { type, cacheControl }: { type: string; cacheControl: string },
): (request: Pick<Request, 'headers'>) => Promise<Answer> {
  let made: ReturnType<typeof packForms> | undefined;
  return async ({ headers: requestHeaders }) => {
    made ??= make()
      .then(packForms)
      .catch((error: unknown) => {
        made = undefined;
        throw error;
      });
    const { plain, packed, tag } = await made;
    const isPacked = acceptsGzip(requestHeaders['accept-encoding'] ?? '');
    const encoding = isPacked ? { 'Content-Encoding': 'gzip' } : {};
    // `no-transform` stops the compression middleware. Otherwise it would compress the answer again for every client
    // that asks for another coding.
    const headers = { 'Content-Type': type, 'Cache-Control': `${cacheControl}, no-transform`, ETag: tag };
    return { status: 200, body: isPacked ? packed : plain, headers: { ...headers, ...encoding } };
  };
}

async function packForms(made: string | Buffer) {
  const plain = Buffer.from(made);
  const packed = await promisify(gzip)(plain);
  return { plain, packed, tag: `"${createHash('sha256').update(plain).digest('hex').slice(0, 32)}"` };
}

/** Tells whether a client accepts gzip: with any weight but 0 (RFC 9110, Accept-Encoding). */
function acceptsGzip(accepted: string): boolean {
  return accepted.split(',').some((each) => {
    const [coding = '', weight = 'q=1'] = each.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'gzip' && Number(weight.replace('q=', '')) !== 0;
  });
}
