import { earnRule } from '../../support/world';
import type { ExampleWorld } from './exampleWorld';
import { taken } from './taken';

/** The answers of the routes with which rules are edited. Publishing comes last: it puts another version into force. */
export async function recordRuleEditor({ admin, ids }: ExampleWorld): Promise<Record<string, unknown>> {
  const rule = { ...earnRule, key: 'weekend', name: 'Bonus of the weekend' };
  const files = [{ path: 'main/weekend.json', text: JSON.stringify([rule]) }];
  const activity = { type: 'Accrual', memberID: ids.Member, value: 640 };
  const overview = taken(await admin.get('/rules/overview'));
  const file = taken(await admin.get('/rules/files?path=main/rules.json'));
  return {
    'GET /rules/overview 200': overview,
    // The beginning of the text shows what it is.
    'GET /rules/files 200': { ...file, text: file.text.slice(0, 60) },
    'POST /rules/preview 200': taken(await admin.post('/rules/preview', { files })),
    'POST /rules/try 200': taken(await admin.post('/rules/try', { files, activity })),
    'POST /rules/publish 200': taken(await admin.post('/rules/publish', { files })),
  };
}
