import type { Response } from './client';

declare global {
  namespace jest {
    interface Matchers<R> {
      /**
       * Passes when an answer refuses its request with this status and this code of the table of errors. `more` names
       * further fields of the body; each matches as with `toMatchObject`, and undefined means that there is none.
       */
      toBeRefused(status: number, code: number, more?: object): R;
    }
  }
}

type Answer = Pick<Response, 'status' | 'body'> & Partial<Pick<Response, 'request'>>;

expect.extend({
  toBeRefused({ status, body, request = 'The request' }: Answer, expected: number, code: number, more: object = {}) {
    const refusal = { status: expected, code, ...more };
    const absent = Object.fromEntries(Object.keys(more).map((name) => [name, undefined]));
    const answer = { ...absent, ...body, status };
    const { subsetEquality, printExpected, printReceived } = this.utils;
    return {
      pass: this.equals(answer, refusal, [subsetEquality]),
      message: () => `${request} was answered\n${printReceived(answer)}\nand not with\n${printExpected(refusal)}`,
    };
  },
});
