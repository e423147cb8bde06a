import { useRef } from 'react';

/**
 * The `Idempotency-Key` of a form: the same for the same body, so that what was sent twice is done once, also when the
 * first answer was lost.
 */
export function useRequestKey(): (body: unknown) => string {
  const keys = useRef(new Map<string, string>());
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.current.get(text) ?? newKey();
    keys.current.set(text, key);
    return key;
  };
}

// `randomUUID` is only there on pages with TLS and on localhost.
function newKey(): string {
  return `console-${[...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(16)).join('-')}`;
}
