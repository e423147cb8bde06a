import type { paths } from 'loyalty-client/generated/api';
import createClient from 'openapi-fetch';

/** Sends requests without a token, and each once: for signing in. */
export const anonymousClient = createClient<paths>({ baseUrl: location.origin });
