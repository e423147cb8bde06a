import { testPassword } from '../../../support/services';
import { earnRule, type World } from '../../../support/world';

/** A POST to send. */
export interface Post {
  path: string;
  body?: unknown;
  /** A file, in place of a body. */
  file?: string;
}

/** A POST that was not sent before, and another request to the same route. Both succeed. */
export interface Posts {
  first: Post;
  other: Post;
}

type Body = Record<string, unknown>;
type MakePosts = () => Promise<Posts>;

let made = 0;
const fresh = (word: string) => {
  made += 1;
  return `${word}-${made}`;
};

let days = 0;
/** A day of its own for each call: what is scheduled for the same moment already makes no version. */
const nextDay = () => {
  days += 1;
  return new Date(Date.UTC(2099, 0, days)).toISOString();
};

/** Posts that create a record: this body, and the same with other fields. */
const creating =
  (path: string, body: () => Body | Promise<Body>, other: Body): MakePosts =>
  async () => {
    const first = await body();
    return { first: { path, body: first }, other: { path, body: { ...first, ...other } } };
  };

const plain: Record<string, MakePosts> = {
  '/login': async () => {
    const first = { path: '/login', body: { username: 'admin@test', password: testPassword } };
    return { first, other: first };
  },
  '/sandbox/wipe': async () => {
    const first = { path: '/sandbox/wipe', body: {} };
    return { first, other: first };
  },
  '/myaccount/renew': async () => {
    const first = { path: '/myaccount/renew', body: {} };
    return { first, other: first };
  },
  '/login/oidc/token': async () => {
    const first = { path: '/login/oidc/token', body: { code: 'a'.repeat(43) } };
    return { first, other: first };
  },
  '/users': creating('/users', () => ({ username: fresh('user'), password: testPassword, roles: ['reader'] }), {
    password: `another ${testPassword}`,
  }),
  '/programs': creating('/programs', () => ({ code: fresh('p'), name: 'Program' }), { name: 'Another' }),
  '/locations': creating('/locations', () => ({ number: fresh('l'), name: 'Shop' }), { name: 'Another' }),
  '/products': creating('/products', () => ({ sku: fresh('s'), name: 'Tea' }), { name: 'Another' }),
  '/partners': creating('/partners', () => ({ code: fresh('p'), name: 'Partner' }), { name: 'Another' }),
  '/namedlists': creating('/namedlists', () => ({ name: fresh('list') }), { model: 'Product' }),
  '/enums': creating('/enums', () => ({ type: 'ChannelType', value: fresh('v') }), { label: 'Another' }),
  '/segments': creating('/segments', () => ({ name: fresh('segment') }), { kind: 'static' }),
  '/extschemas': creating('/extschemas', () => ({ model: 'Offer', name: fresh('schema') }), { model: 'Reward' }),
  '/refreshcache': async () => ({
    first: { path: '/refreshcache?entity=Rule' },
    other: { path: '/refreshcache?entity=Offer' },
  }),
  '/jobs/:name/run': async () => ({ first: { path: '/jobs/escrow/run' }, other: { path: '/jobs/tiers/run' } }),
  '/rules/check': async () => {
    const first = { path: '/rules/check', body: { files: [{ path: 'main/a.json', text: '[]' }] } };
    return { first, other: first };
  },
  '/rules/changes': async () => {
    const first = { path: '/rules/changes', body: { files: [{ path: 'main/rules.json', text: '[]' }] } };
    return { first, other: first };
  },
  '/rules/preview': async () => {
    const first = { path: '/rules/preview', body: { files: [{ path: 'main/rules.json', text: '[]' }] } };
    return { first, other: first };
  },
};

/** Posts of every route. Behind the path may stand which of several ways to honour a key they show. */
export function postsOf(world: World): Record<string, MakePosts> {
  const { program, policies } = world;
  const restorable: string[] = [];
  const [admin, client] = [world.server.as('admin'), world.server.as('client')];
  const ofProgram = (word: string) => ({ program: program._id, name: fresh(word) });
  const member = async () => (await world.addMember())._id;
  const purchase = async () => ({ type: 'Accrual', memberID: await member(), value: 7 });
  const activity = async () => (await client.post('/activity', await purchase())).body.result.data.activityId;
  const schema = async () => (await admin.post('/extschemas', { model: 'Partner', name: fresh('s') })).body._id;
  const webhook = async () => {
    const body = { url: 'https://8.8.8.8/', events: ['points.earned'], status: 'Paused' };
    return (await admin.post('/webhooks', body)).body._id;
  };
  const publishing = () => {
    const key = fresh('rule');
    const file = { path: `main/${key}.json`, text: JSON.stringify([{ ...earnRule, key, name: key }]) };
    return { path: '/rules/publish', body: { files: [file] } };
  };
  /** What the program manager proposes, in the short time in which rules need a second person. */
  const proposal = async (): Promise<string> => {
    const { config } = world.services;
    const { path, body } = publishing();
    config.RULES_APPROVAL = 'on';
    const proposed = await world.server.as('program-manager').post(path, body);
    config.RULES_APPROVAL = 'off';
    return proposed.body._id;
  };
  const offer = () => ({ ...ofProgram('offer'), code: fresh('code') });
  return {
    ...plain,
    '/pursepolicies': creating('/pursepolicies', () => ofProgram('purse'), { overdraftLimit: 1 }),
    '/tierpolicies': creating('/tierpolicies', () => ofProgram('tier'), { downgrade: 'one' }),
    '/offers': creating('/offers', offer, { priority: 2 }),
    '/rewards': creating('/rewards', offer, { priority: 2 }),
    '/extdefs': creating('/extdefs', async () => ({ extSchema: await schema(), field: fresh('f'), type: 'string' }), {
      type: 'integer',
    }),
    '/members': creating('/members', () => ({ program: program._id, loyaltyID: fresh('M') }), { firstName: 'Ann' }),
    '/accounts': creating('/accounts', async () => ({ members: [{ member: await member(), program: program._id }] }), {
      ext: { a: 1 },
    }),
    '/accrualitems': creating(
      '/accrualitems',
      async () => ({ member: await member(), purse: policies[0]?._id, accruedPoints: 40 }),
      { accruedPoints: 41 },
    ),
    '/imports': async () => {
      const file = (name: string) => ({ path: '/imports?kind=products', file: `sku,name\n${name},Tea` });
      return { first: file(fresh('f')), other: file(fresh('f')) };
    },
    '/imports/:id/stop': async () => {
      const begin = () => {
        const options = { raw: `sku,name\n${fresh('f')},Tea`, headers: { 'content-type': 'text/csv' } };
        return admin.post('/imports?kind=products', undefined, options);
      };
      const stop = async () => {
        const { _id } = (await begin()).body;
        return { path: `/imports/${_id}/stop` };
      };
      return { first: await stop(), other: await stop() };
    },
    '/members/bulk': async () => {
      const bodies = [{ program: program._id }, { program: program._id, loyaltyID: fresh('M') }, {}];
      return {
        first: { path: '/members/bulk', body: bodies },
        other: { path: '/members/bulk', body: bodies.slice(0, 2) },
      };
    },
    '/accrualitems/bulk': async () => {
      const item = { member: await member(), purse: policies[0]?._id, accruedPoints: 40 };
      const path = '/accrualitems/bulk';
      return { first: { path, body: [item, item, {}] }, other: { path, body: [item] } };
    },
    '/members/:id/merge': async () => {
      const path = `/members/${await member()}/merge`;
      return {
        first: { path, body: { memberIds: [await member()] } },
        other: { path, body: { memberIds: [await member()] } },
      };
    },
    '/accounts/unlink': async () => {
      const ids = [await member(), await member()];
      for (const id of ids) await client.post('/accounts', { members: [{ member: id, program: program._id }] });
      const [first, other] = ids.map((id) => ({ path: `/accounts/unlink?query={"members.member":"${id}"}` }));
      return { first: first as Post, other: other as Post };
    },
    '/users/me/password': async () => {
      const path = '/users/me/password';
      const body = { currentPassword: testPassword, newPassword: testPassword };
      return { first: { path, body }, other: { path, body: { ...body, newPassword: 'another one of ten' } } };
    },
    '/rulesets/:version/rollback': async () => {
      const present = (await admin.get('/rulesets/current')).body.version;
      await world.publish([{ ...earnRule, name: fresh('rule') }]);
      const back = (version: number) => ({ path: `/rulesets/${version}/rollback` });
      return { first: back(present), other: back(present + 1) };
    },
    '/rulesets/restore': async () => {
      const present = (await admin.get('/rulesets/current')).body.version;
      const keys = [fresh('rule'), fresh('rule')];
      // Those of the posts that were made before stay in the file, and set aside.
      restorable.push(...keys);
      await world.publish(restorable.map((key) => ({ ...earnRule, key })));
      await admin.post(`/rulesets/${present}/rollback`);
      const [first, other] = keys.map((key) => ({
        path: '/rulesets/restore',
        body: { rules: [{ program: 'main', key }] },
      }));
      return { first: first as Post, other: other as Post };
    },
    '/rules/try': async () => {
      const files = [{ path: 'main/rules.json', text: JSON.stringify([earnRule]) }];
      const first = { path: '/rules/try', body: { files, activity: await purchase() } };
      return { first, other: first };
    },
    '/rules/publish': async () => ({ first: publishing(), other: publishing() }),
    '/rules/proposals/:id/approve': async () => {
      const path = `/rules/proposals/${await proposal()}/approve`;
      return { first: { path, body: {} }, other: { path, body: { reason: 'As agreed' } } };
    },
    '/rules/proposals/:id/reject': async () => {
      const path = `/rules/proposals/${await proposal()}/reject`;
      return { first: { path, body: { reason: 'Too much' } }, other: { path, body: { reason: 'Too little' } } };
    },
    '/rulesets/schedule': async () => {
      const at = (from: string) => ({ path: '/rulesets/schedule', body: { from, version: 1 } });
      return { first: at(nextDay()), other: at(nextDay()) };
    },
    '/rulesets/:version/withdraw': async () => {
      const { body } = await admin.post('/rulesets/schedule', { from: nextDay(), version: 1 });
      const withdraw = (version: number) => ({ path: `/rulesets/${version}/withdraw` });
      return { first: withdraw(body.version), other: withdraw(1) };
    },
    '/apikeys': creating('/apikeys', () => ({ name: fresh('key'), roles: ['reader'] }), { roles: ['client'] }),
    '/apikeys/:id/rotate': async () => {
      const { body } = await admin.post('/apikeys', { name: fresh('key'), roles: ['reader'] });
      const rotate = { path: `/apikeys/${body._id}/rotate`, body: { overlapSeconds: 1 } };
      return { first: rotate, other: rotate };
    },
    '/rules/simulate': creating('/rules/simulate', () => ({ rules: [earnRule], program: program.code }), { limit: 3 }),
    '/importmappings': creating('/importmappings', () => ({ name: fresh('mapping'), kind: 'members' }), {
      decimalComma: true,
    }),
    '/webhooks': creating('/webhooks', () => ({ url: 'https://8.8.8.8/', events: ['points.earned'] }), {
      status: 'Paused',
    }),
    '/webhooks/:id/rotate': async () => {
      const first = { path: `/webhooks/${await webhook()}/rotate` };
      return { first, other: first };
    },
    '/webhooks/:id/test': async () => {
      const [first, other] = [await webhook(), await webhook()].map((id) => ({ path: `/webhooks/${id}/test` }));
      return { first: first as Post, other: other as Post };
    },
    '/webhooks/:id/replay': async () => {
      const path = `/webhooks/${await webhook()}/replay`;
      return {
        first: { path, body: { from: '2026-01-01T00:00:00.000Z' } },
        other: { path, body: { to: '2026-01-01T00:00:00.000Z' } },
      };
    },
    '/webhooks/:id/deliveries/:deliveryId/retry': async () => {
      const id = await webhook();
      const tests = [await admin.post(`/webhooks/${id}/test`), await admin.post(`/webhooks/${id}/test`)];
      const [first, other] = tests.map(({ body }) => ({ path: `/webhooks/${id}/deliveries/${body._id}/retry` }));
      return { first: first as Post, other: other as Post };
    },
    '/activity': creating('/activity', purchase, { value: 8 }),
    '/activity/:id/cancel': async () => {
      const path = `/activity/${await activity()}/cancel`;
      return { first: { path, body: {} }, other: { path, body: { value: 3 } } };
    },
    '/activity/query/cancel': async () => {
      const memberID = await member();
      const body = { type: 'Accrual', memberID, value: 7 };
      for (let n = 0; n < 2; n += 1) await client.post('/activity', body);
      const query = encodeURIComponent(JSON.stringify({ memberID, type: 'Accrual', status: 'Processed' }));
      const path = `/activity/query/cancel?query=${query}`;
      return { first: { path, body: {} }, other: { path, body: { value: 3 } } };
    },
    '/activities/bulk': async () => {
      const path = '/activities/bulk?async=true';
      const bodies = [await purchase(), { ...(await purchase()), externalTxnId: fresh('own') }, { type: 'Nothing' }];
      return { first: { path, body: bodies }, other: { path, body: bodies.slice(0, 2) } };
    },
  };
}
