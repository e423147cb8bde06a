import { ObjectId } from 'bson';
import { allRoutes } from '#server/routes';
import { type EditorWorld, openEditorWorld, tested } from './editorWorld';

let editor: EditorWorld;
beforeAll(async () => {
  editor = await openEditorWorld();
});
afterAll(() => editor.close());

const manager = () => editor.server.as('program-manager');
const activity = { type: 'Accrual', loyaltyID: 'LANG-1', value: 1 };

/** Bodies that are wrong in another way: what the language is comes first. */
const bodies: Readonly<Record<string, object>> = {
  '/rules/preview': { files: [{ path: 'shop/x.json', text: '{' }] },
  '/rules/try': { files: [{ path: 'shop/x.json', text: '{' }], activity },
};

const speaking = allRoutes
  .filter(({ query }) => query && 'lang' in query)
  .map(({ method, path, query = {} }) => {
    const needed = Object.entries(query).flatMap(([name, { required }]) => (required ? [`&${name}={"value":1}`] : []));
    const url = `${path.replace(':id', `${new ObjectId()}`)}?lang=fr${needed.join('')}`;
    return { method, path, url, body: method === 'GET' ? undefined : (bodies[path] ?? {}) };
  });

test.each(speaking)('$method $path refuses a language that it does not speak', async ({ method, url, body }) => {
  const { status, body: answer } = await editor.server.as('admin').send(method, `/api/v1${encodeURI(url)}`, { body });
  expect({ status, answer }).toMatchObject({ status: 400, answer: { message: expect.stringContaining('lang must') } });
});

test('the table has every route that speaks languages', () => {
  expect(speaking.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/rules/overview', '/rules/preview', '/rules/try', '/activityhistories/:id/explain']),
  );
});

test('lang=de says rules in force, tried rules and past activities in German', async () => {
  const { body: overview } = await manager().get('/rules/overview?lang=de');
  expect(overview.rules[0].sentence).toBe('Einkauf, immer: 1 Punkt in die Börse "Points" geben.');

  const { body: programs } = await manager().get('/programs');
  const client = editor.server.as('client');
  await client.post('/members', { program: programs[0]._id, loyaltyID: activity.loyaltyID });
  const files = [{ path: 'shop/tried.json', text: JSON.stringify(tested('tried', 70, 70)) }];
  const { body: tried } = await manager().post('/rules/try?lang=de', { files, activity });
  expect(tried.ruleMatch).toContainEqual(
    expect.objectContaining({ key: 'tried', sentence: 'Sie hat gegriffen: 70 Punkte in Points.' }),
  );

  const { body: posted } = await client.post('/activity', activity);
  const { body: past } = await manager().get(`/activityhistories/${posted.result.data.activityId}/explain?lang=de`);
  expect(past.ruleMatch).toContainEqual(
    expect.objectContaining({ key: 'b', sentence: 'Sie hat gegriffen: 2 Punkte in Points.' }),
  );
});

test('lang=de says in German why a step of a test failed, and without it in English', async () => {
  const expected = [{ activity: { type: 'Accrual', value: 5 }, expect: { fired: ['story'] } }];
  const rule = {
    ...tested('story', 1, 1),
    conditions: { all: [{ fact: 'activity', path: '$.value', operator: 'greaterThan', value: 10 }] },
    tests: [{ name: 'a story', steps: expected, expect: { fired: ['story'] } }],
  };
  const files = [{ path: 'shop/story.json', text: JSON.stringify(rule) }];
  const reasonIn = async (query: string) => {
    const { body } = await manager().post(`/rules/preview${query}`, { files });
    return body.errors.map(({ message }: { message: string }) => message).join();
  };
  expect(await reasonIn('?lang=de')).toContain('Wert der Aktivität ist größer als 10');
  expect(await reasonIn('')).toContain("the activity's value is above 10");
});
