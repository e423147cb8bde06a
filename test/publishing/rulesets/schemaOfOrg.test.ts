import { quickAjv } from '../../support/quickAjv';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});
afterAll(() => world.close());

const manager = () => world.server.as('program-manager');

async function fitting() {
  const { status, body } = await manager().get('/rules/schema');
  expect(status).toBe(200);
  return quickAjv({ formats: { date: true } }).compile(body);
}
const withAction = (action: object) => ({ ...earnRule, actions: [action] });

test('the schema knows the names of the org as they are now', async () => {
  const before = await fitting();
  const earned = withAction({ type: 'addPoints', purse: 'Points', points: 1 });
  const inSegment = { ...earned, segments: ['Regulars'] };
  expect([before(earned), before(inSegment)]).toEqual([true, false]);
  expect(before(withAction({ type: 'addPoints', purse: 'Pointz', points: 1 }))).toBe(false);
  expect(before(withAction({ type: 'addPoints', purse: 'Points', points: -5 }))).toBe(false);
  const made = await manager().post('/segments', { name: 'Regulars', kind: 'static' });
  expect(made.status).toBe(201);
  expect((await fitting())(inSegment)).toBe(true);
});

test('the schema proposes channels, partners and product categories, and accepts others', async () => {
  expect((await manager().post('/partners', { code: 'FUEL', name: 'Fuel' })).status).toBe(201);
  expect((await manager().post('/products', { sku: 'C-1', name: 'Beans', category: 'Coffee' })).status).toBe(201);
  const { body } = await manager().get('/rules/schema');
  for (const name of ['CallCenter', 'FUEL', 'Coffee']) expect(JSON.stringify(body)).toContain(`"${name}"`);
  const fits = await fitting();
  const conditions = { all: [{ fact: 'activity', path: '$.partnerCode', operator: 'equal', value: 'FUELL' }] };
  expect(fits({ ...earnRule, conditions })).toBe(true);
  const files = [{ path: 'main/a.json', text: JSON.stringify({ ...earnRule, conditions }) }];
  const checked = await manager().post('/rules/check', { files });
  expect(checked.body).toMatchObject({
    errors: [],
    warnings: [{ message: 'activity $.partnerCode is never "FUELL" (did you mean "FUEL"?)' }],
  });
  const filter = { inclusionParams: { category: { searchStr: 'Cofee' }, sku: { searchStr: 'C-2' } } };
  const amount = { fact: 'eligibleAmount', params: { filter }, operator: 'greaterThan', value: 1 };
  const filtered = { ...earnRule, conditions: { all: [amount] } };
  const again = await manager().post('/rules/check', {
    files: [{ path: 'main/a.json', text: JSON.stringify(filtered) }],
  });
  expect(again.body.errors).toEqual([]);
  expect(again.body.warnings.map(({ message }: { message: string }) => message)).toEqual([
    'no product has the category "Cofee" (did you mean "Coffee"?)',
    'no product has the SKU "C-2" (did you mean "C-1"?)',
  ]);
});
