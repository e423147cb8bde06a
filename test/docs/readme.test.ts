import { read } from './pages';

const readme = read('README.md');

test('the README has at most 120 lines', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(121);
});

test('one command runs the service and one tests it, each in a line of its own', () => {
  const lines = readme.split('\n');
  expect(lines.filter((line) => /^npm /.test(line))).toEqual(['npm ci && npm start', 'npm ci && npm test']);
});
