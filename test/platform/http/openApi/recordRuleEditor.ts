import { earnRule } from '../../../support/world';
import type { ExampleWorld } from './exampleWorld';
import { taken } from './taken';

/** The answers of the routes with which rules are edited. Publishing comes last: it puts another version into force. */
export async function recordRuleEditor(opened: ExampleWorld): Promise<Record<string, unknown>> {
  const { admin, ids } = opened;
  const rule = { ...earnRule, key: 'weekend', name: 'Bonus of the weekend' };
  const files = [{ path: 'main/weekend.json', text: JSON.stringify([rule]) }];
  const activity = { type: 'Accrual', memberID: ids.Member, value: 640 };
  const overview = taken(await admin.get('/rules/overview'));
  const coverage = taken(await admin.get('/rules/coverage'));
  const file = taken(await admin.get('/rules/files?path=main/rules.json'));
  return {
    'GET /rules/overview 200': overview,
    'GET /rules/coverage 200': coverage,
    // The beginning of the text shows what it is.
    'GET /rules/files 200': { ...file, text: file.text.slice(0, 60) },
    'POST /rules/preview 200': taken(await admin.post('/rules/preview', { files })),
    'POST /rules/changes 200': taken(await admin.post('/rules/changes', { files })),
    'POST /rules/try 200': taken(await admin.post('/rules/try', { files, activity })),
    ...(await recordProposals(opened, files)),
    'POST /rules/publish 200': taken(await admin.post('/rules/publish', { files })),
    ...(await recordRestore(opened)),
  };
}

/** The answer when a rule that was rolled back is put back. */
async function recordRestore({ admin }: ExampleWorld) {
  const { version } = taken(await admin.get('/rulesets/current'));
  taken(await admin.post(`/rulesets/${version - 1}/rollback`, {}));
  const rules = [{ program: 'main', key: 'weekend' }];
  return { 'POST /rulesets/restore 200': taken(await admin.post('/rulesets/restore', { rules })) };
}

/** The answers where a second user approves rules. */
async function recordProposals({ admin, world }: ExampleWorld, files: { path: string; text: string }[]) {
  const { config } = world.services;
  const manager = world.server.as('program-manager');
  const [{ text: weekend = '' } = {}] = files;
  const other = [{ path: 'main/other.json', text: weekend.replace('"weekend"', '"other"') }];
  config.RULES_APPROVAL = 'on';
  const requested = taken(await manager.post('/rules/publish', { files: other, reason: 'As agreed for the summer' }));
  const from = '2027-01-01T00:00:00.000Z';
  const later = taken(await manager.post('/rulesets/schedule', { from, version: 1, reason: 'Back to last year' }));
  const read = taken(await admin.get(`/rules/proposals/${requested._id}`));
  const reason = { reason: 'Not before the budget is decided' };
  const rejected = taken(await admin.post(`/rules/proposals/${later._id}/reject`, reason));
  const approved = taken(await admin.post(`/rules/proposals/${requested._id}/approve`, {}));
  config.RULES_APPROVAL = 'off';
  return {
    'POST /rules/publish 202': requested,
    'POST /rulesets/schedule 202': later,
    'GET /rules/proposals 200': [requested],
    'GET /rules/proposals/:id 200': read,
    'POST /rules/proposals/:id/approve 200': approved,
    'POST /rules/proposals/:id/reject 200': rejected,
  };
}
