import type { Response } from './client';

const answer: Response = {
  status: 200,
  headers: new Headers(),
  body: { code: 1210, message: 'The argument a is unknown' },
  request: 'GET /api/v1/programs',
};

test('an answer is refused with the status, the code and the fields that are named', () => {
  const refused = { ...answer, status: 400 };
  expect(refused).toBeRefused(400, 1210);
  expect(refused).toBeRefused(400, 1210, { message: expect.stringContaining('unknown') });
  expect(refused).not.toBeRefused(400, 1200);
  expect(refused).not.toBeRefused(422, 1210);
  expect(refused).not.toBeRefused(400, 1210, { message: 'Another' });
});

test('a failing line names the request and its answer', () => {
  const compare = () => expect(answer).toBeRefused(400, 1210);
  expect(compare).toThrow(/^GET \/api\/v1\/programs was answered/);
  expect(compare).toThrow(/"code": 1210, "message": "The argument a is unknown", "status": 200/);
  expect(compare).toThrow(/"code": 1210, "status": 400/);
});
