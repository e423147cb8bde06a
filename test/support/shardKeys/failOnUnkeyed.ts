import { takeUnkeyed } from './report';

// A set-up file of jest, so that it holds for every test file, however few are run.
afterAll(() => {
  expect(takeUnkeyed()).toEqual([]);
});
