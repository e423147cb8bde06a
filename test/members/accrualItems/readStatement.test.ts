import { readableFields } from '#base/query/fields';
import { nextPage, parsePage } from '#base/query/page';
import { readStatement, statementSort } from '#members/accrualItems/readStatement';
import { journalResource } from '#records/points/journal';
import { activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
});
afterAll(() => world.close());

test.each([0, 1])(
  'links lead through a statement past the greatest skip, with %d members merged into it',
  async (merged) => {
    const acting = activityApi(world);
    const [member, other] = [await world.addMember(), await world.addMember()];
    for (const { _id } of [member, other, member]) {
      await acting.processed('Accrual', _id, { value: 5 });
      await acting.processed('Redemption', _id, { value: 2 });
    }
    const admin = world.server.as('admin');
    if (merged > 0) await admin.post(`/members/${member._id}/merge`, { memberIds: [other._id] });
    const whole = (await admin.get(`/members/${member._id}/statement`)).body;
    const who = { _id: member._id, mergeIds: merged > 0 ? [other._id] : [] };
    const listing = { sort: statementSort(who), fields: readableFields(journalResource), limitDefault: 2, skipMax: 3 };
    const seen: unknown[] = [];
    for (let args: Record<string, string> | undefined = {}; args; ) {
      const page = parsePage(args, listing);
      const { found, last } = await readStatement(world.services.db, world.author.org, who, page);
      seen.push(...found.map(({ _id }) => String(_id)));
      const next = nextPage(args, { ...page, ...listing }, { found: found.length, last });
      args = next === undefined ? undefined : Object.fromEntries(new URLSearchParams(next));
    }
    expect(seen).toEqual(whole.map(({ _id }: { _id: string }) => _id));
    expect(seen.length).toBeGreaterThanOrEqual(4 + 4 * merged);
    expect(await admin.get(`/members/${member._id}/statement?after=x`)).toBeRefused(400, 1210);
  },
);
