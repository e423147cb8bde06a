import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { recordedAnswer } from '#platform/http/openApi/recordedAnswer';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { recordAnswers } from './recordAnswers';

const file = path.join(__dirname, '../../../../src/platform/http/openApi/recordedAnswers.json');

test('the examples of the document are what the service answers', async () => {
  const recorded = await recordAnswers();
  if (process.env.RECORD === 'true') {
    writeFileSync(file, JSON.stringify(recorded));
    execFileSync('npx', ['biome', 'format', '--write', file]);
  }
  expect(recorded).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});

test('every JSON answer but counts has a recorded example', () => {
  const names = new Map(resources.map(({ answer, name }) => [answer, name]));
  const without = allRoutes.flatMap((route) =>
    Object.entries(route.responses).flatMap(([status, schema]) => {
      if (schema === null || route.produces !== undefined || route.path.endsWith('/count')) return [];
      const example = recordedAnswer(route, Number(status), schema, names);
      return example === undefined ? [`${route.method} ${route.path} ${status}`] : [];
    }),
  );
  expect(without).toEqual(['GET /health/ready 503']);
});
