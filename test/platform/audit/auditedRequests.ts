import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Role } from '#records/users/permissions';
import { cloneWorld } from '../../operations/sandbox/sandboxWorld';
import { type Client, client, type RequestOptions, type Response } from '../../support/client';
import { makeTestUser, testPassword } from '../../support/services';
import { earnRule, type World } from '../../support/world';

type Doc = Response['body'];
type Sent = [path: string, body?: unknown, options?: RequestOptions];

/** A request, and what the audit log must have of it. */
export interface Audited {
  send: Sent;
  /** What the same route refuses. */
  refused: Sent[];
  /** Who sends it; default: the admin. */
  as?: Client;
  /** The entries, with what is not the same for all of them. */
  entries(answer: Doc): Doc[];
}

/** Makes what a request is about, and the request. */
type Prepare = () => Promise<Audited>;

/** A sandbox whose clock is ahead of the machine's. */
export interface AuditedOrg {
  id: string;
  admin: Client;
  reader: Client;
  /** A new user of the sandbox. */
  newUser(role: Role, name?: string): Promise<Client>;
  /** A rule file of the program as a change. */
  ruleFile(points: number): { path: string; text: string };
  /** Does something while rules need the approval of a second user. */
  withApproval<T>(act: () => Promise<T>): Promise<T>;
  /** Writes the rule file of the program. */
  writeRules(points: number): void;
  program: string;
  purse: string;
}

const unknown = 'f'.repeat(24);

/** A file as the body of a request. */
export const csv = (text: string) => ({ raw: text, headers: { 'content-type': 'text/csv' } });

/** Makes the sandbox, ten days ahead. */
export async function auditedOrg(world: World): Promise<AuditedOrg> {
  const { org, program } = await cloneWorld(world, 'moved');
  const newUser = async (role: Role, name: string = role) => {
    const { token } = await makeTestUser(world.services, org, `${name}@audited`, [role]);
    return client(world.server.url, token);
  };
  const [admin, reader] = [await newUser('ledger-admin'), await newUser('reader')];
  const [{ _id: purse }] = (await admin.get('/pursepolicies')).body;
  expect((await admin.put('/sandbox/clock', { advance: { value: 10, unit: 'day' } })).status).toBe(200);
  const writeRules = (points: number) => {
    const folder = path.join(world.rulesDir, '@moved', 'main');
    mkdirSync(folder, { recursive: true });
    const actions = [{ ...earnRule.actions[0], points }];
    writeFileSync(path.join(folder, 'rules.json'), JSON.stringify([{ ...earnRule, actions }]));
  };
  const ruleFile = (points: number) => {
    const rule = { ...earnRule, key: `more-${points}`, actions: [{ ...earnRule.actions[0], points }] };
    return { path: `main/more-${points}.json`, text: JSON.stringify([rule]) };
  };
  const { config } = world.services;
  const withApproval = async <T>(act: () => Promise<T>): Promise<T> => {
    config.RULES_APPROVAL = 'on';
    try {
      return await act();
    } finally {
      config.RULES_APPROVAL = 'off';
    }
  };
  return { id: org._id.toHexString(), admin, reader, newUser, ruleFile, withApproval, writeRules, program, purse };
}

/** Requests of every route that the log records, but those of collections; by method and path. */
export function auditedRequests(org: AuditedOrg): Record<string, Prepare> {
  return { ...ofAccess(org), ...ofMembers(org), ...ofItems(org), ...ofRules(org), ...ofOperation(org) };
}

async function made({ admin }: AuditedOrg, at: string, body: object): Promise<Doc> {
  const answer = await admin.post(at, body);
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  return answer.body;
}

const newMember = (org: AuditedOrg) => made(org, '/members', { program: org.program });

function ofAccess(org: AuditedOrg): Record<string, Prepare> {
  const rotated = async (resource: string, body: object): Promise<Audited> => {
    const { _id: id } = await made(org, `/${resource}`, body);
    const known = expect.objectContaining({ _id: id });
    return {
      send: [`/${resource}/${id}/rotate`, { overlapSeconds: 60 }],
      refused: [
        [`/${resource}/${unknown}/rotate`, { overlapSeconds: 60 }],
        [`/${resource}/${id}/rotate`, { overlapSeconds: -1 }],
      ],
      entries: () => [{ action: 'rotate', resource, id, before: known, after: known }],
    };
  };
  return {
    'POST /users/me/password': async () => {
      const passwords = { currentPassword: testPassword, newPassword: 'another horse battery' };
      const as = await org.newUser('client', 'changer');
      const { _id: id } = (await as.get('/myaccount')).body;
      return {
        as,
        send: ['/users/me/password', passwords],
        refused: [['/users/me/password', { ...passwords, currentPassword: 'wrong horse battery' }]],
        entries: () => [{ action: 'password', resource: 'users', id, changed: ['passwordHash'] }],
      };
    },
    'POST /apikeys/:id/rotate': () => rotated('apikeys', { name: 'Till', roles: ['client'] }),
    'POST /webhooks/:id/rotate': () => rotated('webhooks', { url: 'https://8.8.8.8/', events: ['points.earned'] }),
  };
}

function ofMembers(org: AuditedOrg): Record<string, Prepare> {
  return {
    'DELETE /members/:id': async () => {
      const { _id: id } = await newMember(org);
      return {
        send: [`/members/${id}`],
        refused: [[`/members/${unknown}`]],
        entries: () => [{ action: 'erase', resource: 'members', id }],
      };
    },
    'POST /members/:id/merge': async () => {
      const [{ _id: id }, { _id: merged }] = [await newMember(org), await newMember(org)];
      return {
        send: [`/members/${id}/merge`, { memberIds: [merged] }],
        refused: [id, unknown].map((each) => [`/members/${each}/merge`, { memberIds: [id] }]),
        entries: () => [{ action: 'merge', resource: 'members', id, after: { memberIds: [merged] } }],
      };
    },
  };
}

function ofItems(org: AuditedOrg): Record<string, Prepare> {
  const dates = { dtEarned: '2026-03-01T00:00:00.000Z', dtEscrowsOn: '2026-06-01T00:00:00.000Z' };
  const body = async () => ({ member: (await newMember(org))._id, purse: org.purse, accruedPoints: 50, ...dates });
  const shown = ({ version: _v, updatedAt: _a, updatedBy: _b, ...rest }: Doc) => expect.objectContaining(rest);
  const changed = async (): Promise<Audited> => {
    const item = await made(org, '/accrualitems', await body());
    const change = { dtEscrowsOn: '2026-07-01T00:00:00.000Z' };
    const sides = { before: shown(item), after: shown({ ...item, ...change }) };
    return {
      send: [`/accrualitems/${item._id}`, change],
      refused: [
        [`/accrualitems/${item._id}`, { dtEscrowsOn: 'never' }],
        [`/accrualitems/${unknown}`, change],
      ],
      entries: () => [{ action: 'update', resource: 'accrualitems', id: item._id, ...sides }],
    };
  };
  return {
    'POST /accrualitems': async () => ({
      send: ['/accrualitems', await body()],
      refused: [['/accrualitems', { ...(await body()), accruedPoints: -1 }]],
      entries: (item) => [{ action: 'create', resource: 'accrualitems', id: item._id, after: shown(item) }],
    }),
    'POST /accrualitems/bulk': async () => ({
      send: ['/accrualitems/bulk', [await body(), { purse: org.purse }, await body()]],
      refused: [['/accrualitems/bulk', []]],
      entries: (rows) =>
        [rows[0], rows[2]].map(({ _id: id }) => ({
          action: 'create',
          resource: 'accrualitems',
          id,
          after: expect.objectContaining({ _id: id, accruedPoints: 50 }),
        })),
    }),
    'PUT /accrualitems/:id': changed,
    'PATCH /accrualitems/:id': changed,
    'DELETE /accrualitems/:id': async () => {
      const item = await made(org, '/accrualitems', await body());
      const entry = { action: 'delete', resource: 'accrualitems', id: item._id, before: shown(item) };
      return { send: [`/accrualitems/${item._id}`], refused: [[`/accrualitems/${unknown}`]], entries: () => [entry] };
    },
  };
}

function ofRules(org: AuditedOrg): Record<string, Prepare> {
  const resource = 'rulesets';
  const from = '2026-09-01T00:00:00.000Z';
  const inForce = async () => (await org.admin.get('/rulesets/current')).body.version;
  return {
    'POST /refreshcache': async () => {
      const version = await inForce();
      org.writeRules(3);
      const next = version + 1;
      const after = expect.objectContaining({ version: next, rules: 1 });
      return {
        send: ['/refreshcache?entity=Rule', {}],
        refused: [['/refreshcache?entity=Nothing', {}]],
        entries: () => [{ action: 'publish', resource, id: `${next}`, before: { version }, after }],
      };
    },
    'POST /rules/publish': async () => {
      const version = await inForce();
      const after = expect.objectContaining({ version: version + 1 });
      return {
        send: ['/rules/publish', { files: [org.ruleFile(4)] }],
        refused: [
          ['/rules/publish', { files: [{ ...org.ruleFile(4), text: '{' }] }],
          ['/rules/publish', { files: [{ ...org.ruleFile(4), hash: 'another' }] }],
        ],
        entries: () => [{ action: 'publish', resource, id: `${version + 1}`, before: { version }, after }],
      };
    },
    ...ofProposals(org, inForce),
    'POST /rulesets/schedule': async () => ({
      send: ['/rulesets/schedule', { version: 1, from }],
      // Later than the machine's clock, but not than that of the sandbox.
      refused: [['/rulesets/schedule', { version: 1, from: '2026-03-11T00:00:00.000Z' }]],
      entries: ({ version }) => {
        const after = expect.objectContaining({ version, from });
        return [{ action: 'schedule', resource, id: `${version}`, after }];
      },
    }),
    'POST /rulesets/:version/withdraw': async () => {
      const { version } = await made(org, '/rulesets/schedule', { version: 1, from });
      return {
        send: [`/rulesets/${version}/withdraw`, {}],
        refused: [['/rulesets/999/withdraw', {}]],
        entries: () => [{ action: 'withdraw', resource, id: `${version}`, before: { version } }],
      };
    },
    'POST /rulesets/restore': async () => {
      const version = await inForce();
      await org.admin.post('/rules/publish', { files: [org.ruleFile(77)] });
      const [{ key }] = [JSON.parse(org.ruleFile(77).text)].flat();
      await org.admin.post(`/rulesets/${version}/rollback`, {});
      const before = await inForce();
      const after = expect.objectContaining({ version: before + 1 });
      return {
        send: ['/rulesets/restore', { rules: [{ program: 'main', key }] }],
        refused: [['/rulesets/restore', { rules: [{ program: 'main', key: 'never' }] }]],
        entries: () => [{ action: 'publish', resource, id: `${before + 1}`, before: { version: before }, after }],
      };
    },
    'POST /rulesets/:version/rollback': async () => {
      const version = await inForce();
      const after = expect.objectContaining({ rollbackOf: 1 });
      return {
        send: ['/rulesets/1/rollback', {}],
        refused: [['/rulesets/999/rollback', {}]],
        entries: (answer) => [{ action: 'rollback', resource, id: `${answer.version}`, before: { version }, after }],
      };
    },
  };
}

function ofProposals(org: AuditedOrg, inForce: () => Promise<number>): Record<string, Prepare> {
  const proposed = async (points: number): Promise<string> => {
    const proposer = await org.newUser('program-manager', `proposer-${points}`);
    const { body } = await org.withApproval(() => proposer.post('/rules/publish', { files: [org.ruleFile(points)] }));
    return body._id;
  };
  const decided = (action: string, id: string, status: string) => ({
    action,
    resource: 'ruleproposals',
    id,
    changed: expect.arrayContaining(['decider', 'status']),
    before: expect.objectContaining({ status: 'Pending' }),
    after: expect.objectContaining({ status }),
  });
  return {
    'POST /rules/proposals/:id/approve': async () => {
      const [id, version] = [await proposed(5), await inForce()];
      const published = { action: 'publish', resource: 'rulesets', id: `${version + 1}` };
      return {
        send: [`/rules/proposals/${id}/approve`, {}],
        refused: [[`/rules/proposals/${unknown}/approve`, {}]],
        entries: () => [published, decided('approve', id, 'Approved')],
      };
    },
    'POST /rules/proposals/:id/reject': async () => {
      const id = await proposed(6);
      return {
        send: [`/rules/proposals/${id}/reject`, { reason: 'too much' }],
        refused: [[`/rules/proposals/${id}/reject`, {}]],
        entries: () => [decided('reject', id, 'Rejected')],
      };
    },
  };
}

function ofOperation(org: AuditedOrg): Record<string, Prepare> {
  const ofOrg = { resource: 'orgs', id: org.id };
  return {
    'POST /jobs/:name/run': async () => ({
      send: ['/jobs/escrow/run', {}],
      refused: [['/jobs/nothing/run', {}]],
      entries: () => [{ action: 'run', resource: 'jobs', id: 'escrow', after: { run: expect.any(String) } }],
    }),
    'POST /imports': async () => ({
      send: ['/imports?kind=products', undefined, csv('sku,name\nA-1,Tea\n')],
      refused: [['/imports?kind=products', undefined, csv('sku,colour\nA-1,Tea\n')]],
      entries: ({ _id: id, bytes }) => {
        const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
        return [
          { action: 'import', resource: 'imports', id, after: { kind: 'products', format: 'csv', bytes, sha256 } },
        ];
      },
    }),
    'PUT /sandbox/clock': async () => {
      const { now } = (await org.admin.get('/sandbox')).body;
      const then = new Date(Date.parse(now) + 3_600_000).toISOString();
      return {
        send: ['/sandbox/clock', { advance: { value: 1, unit: 'hour' } }],
        refused: [['/sandbox/clock', { now }]],
        entries: () => [{ action: 'move', ...ofOrg, before: { now }, after: { now: then } }],
      };
    },
    'POST /sandbox/wipe': async () => ({
      send: ['/sandbox/wipe', {}],
      refused: [['/sandbox/wipe', { resetClock: 'yes' }]],
      entries: () => [{ action: 'wipe', ...ofOrg, after: { resetsClock: false } }],
    }),
  };
}
