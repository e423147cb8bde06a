import assert from 'node:assert/strict';

/** The service and the user that the environment names. */
export const settings = {
  url: setting('TILL_URL'),
  username: setting('TILL_USERNAME'),
  password: setting('TILL_PASSWORD'),
};

function setting(name: string): string {
  const value = process.env[name];
  assert(value, `${name} is not set`);
  return value;
}

/** Returns the body of an answer. Throws when the service refused the request. */
export function answered<T>({ data, error }: { data?: T; error?: unknown }): T {
  assert(data !== undefined, `refused: ${JSON.stringify(error)}`);
  return data;
}

/** Returns the points that may be spent of the purse `Points`. */
export function points(purses: readonly { name: string; availBalance: number }[]): number {
  const purse = purses.find(({ name }) => name === 'Points');
  assert(purse, 'there is no purse Points');
  return purse.availBalance;
}
