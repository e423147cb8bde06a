import type { Client } from '../../support/client';
import { scaled } from '../../support/scale';
import { serveTest, type TestServer } from '../../support/server';
import { openAlongside } from '../../support/services';
import { openWorld, type World } from '../../support/world';

/** Something named, and how another record comes to name it by a text. */
interface Race {
  title: string;
  named: (n: number) => [path: string, body: object];
  namer: (n: number, id: string) => [path: string, body: object];
  /** A change that takes the name away; without it, the named record is deleted. */
  rename?: (n: number) => object;
  /** The naming record exists before, with these fields, and is changed to name the other. */
  before?: object;
}

/** Rounds of each race. */
const rounds = scaled(20);

let world: World;
let close: () => Promise<void>;
let program: string;
/** Two processes on the same stores, as far as a test can have them: each has connections and queues of its own. */
let here: Client;
let there: Client;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  program = world.program._id.toHexString();
  here = world.server.as('admin');
  const services = await openAlongside(world.services);
  const { org, users } = world.services;
  const second: TestServer = await serveTest({ ...services, org, users });
  there = second.as('admin');
  close = async () => {
    await second.close();
    await services.close();
    await world.close();
  };
});
afterAll(() => close());

const purse = (n: number): [string, object] => ['pursepolicies', { program, name: `Miles ${n}` }];
const level = { name: 'Gold', number: 1, threshold: 1 };
const tiers = (n: number): [string, object] => [
  'tierpolicies',
  { program, name: `Card ${n}`, levels: [{ ...level, name: `Gold ${n}` }] },
];
const segment = (name: string, query: object): [string, object] => ['segments', { name, kind: 'query', query }];
const counting = (n: number) => ({ basis: { metric: `pointsEarned:Miles ${n}`, period: 'year' } });
const rename = (n: number) => ({ name: `Else ${n}` });

const races: Race[] = [
  {
    title: 'a purse is renamed while a tier policy comes to count it',
    named: purse,
    namer: (n) => ['tierpolicies', { program, name: `P ${n}`, levels: [level], ...counting(n) }],
    rename,
  },
  {
    title: 'a purse is deleted while a tier policy is changed to count it',
    named: purse,
    namer: (n) => ['tierpolicies', { program, name: `Q ${n}`, levels: [level], ...counting(n) }],
    before: { basis: undefined },
  },
  {
    title: 'a purse is renamed while a reward comes to cost it',
    named: purse,
    namer: (n) => ['rewards', { program, code: `R${n}`, name: 'Mug', cost: { points: 1, purse: `Miles ${n}` } }],
    rename,
  },
  {
    title: 'a level is renamed while a segment comes to name it',
    named: tiers,
    namer: (n) => segment(`With level ${n}`, { 'tiers.level.name': `Gold ${n}` }),
    rename: () => ({ levels: [level] }),
  },
  {
    title: 'a tier policy is deleted while a segment is changed to name it',
    named: tiers,
    namer: (n) => segment(`With card ${n}`, { 'tiers.name': `Card ${n}` }),
    before: { query: { status: 'Active' } },
  },
  {
    title: 'a segment is deleted while a list comes to name it by its id',
    named: (n) => ['segments', { name: `Fans ${n}` }],
    namer: (n, id) => ['namedlists', { name: `Fans ${n}`, model: 'Member', kind: 'query', query: { segments: id } }],
  },
];

async function made(path: string, body: object): Promise<string> {
  const { status, body: answer } = await here.post(`/${path}`, body);
  expect([status, answer]).toEqual([201, expect.anything()]);
  return answer._id;
}

/** Runs one round: the statuses of the naming and of the taking away, the second as 2xx or 422. */
async function round({ named, namer, rename: change, before }: Race, n: number): Promise<string> {
  const [path, body] = named(n);
  const one = `/${path}/${await made(path, body)}`;
  const [place, naming] = namer(n, one.split('/')[2] ?? '');
  const known = before ? await made(place, { ...naming, ...before }) : undefined;
  const takeAway = () => (change ? there.patch(one, change(n)) : there.delete(one));
  const name = () => (known !== undefined ? here.patch(`/${place}/${known}`, naming) : here.post(`/${place}`, naming));
  const [results, went] = await Promise.all(n % 2 === 0 ? [name(), takeAway()] : [takeAway(), name()].reverse());
  const namerId = known ?? results?.body?._id;
  if (namerId) await here.delete(`/${place}/${namerId}`);
  await here.delete(one);
  return [results, went].map((answer) => (answer && answer.status < 300 ? 'done' : answer?.status)).join(' ');
}

test.each(races)('$title: one of the two requests is refused', async (race) => {
  const first = (races.indexOf(race) + 1) * 1000;
  const outcomes: string[] = [];
  for (let n = first; n < first + rounds; n += 1) outcomes.push(await round(race, n));
  expect(outcomes.filter((outcome) => outcome !== 'done 422' && outcome !== '422 done')).toEqual([]);
});
