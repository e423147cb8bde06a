import type { Client } from '../../../support/client';
import { untilAnswered } from '../../../support/untilAnswered';
import type { Chore } from './chore';
import { makeMember } from './ownMembers';

/** Merges members that have points, and sends each merge until it is answered. */
export function merges(): Chore {
  const merged: { survivor: string; other: string }[] = [];
  const [ofSurvivor, ofOther] = [3, 4];
  return {
    name: 'merges',
    async run(input, n) {
      const [survivor, other] = await Promise.all([
        makeMember(input, `survivor-${n}`, ofSurvivor),
        makeMember(input, `merged-${n}`, ofOther),
      ]);
      const body = { memberIds: [other] };
      await input.insist('admin', [200], (api) => api.post(`/members/${survivor}/merge`, body));
      merged.push({ survivor, other });
    },
    async faults({ world }) {
      const reader = world.server.as('client');
      const faults: string[] = [];
      const admin = world.server.as('admin');
      // Later steps of merges move the aggregates.
      for (const job of ['members', 'aggregates', 'periods']) await untilAnswered(() => admin.post(`/jobs/${job}/run`));
      for (const { survivor, other } of merged) {
        const { body } = await untilAnswered(() => reader.get(`/members/${survivor}/purses`));
        const { status } = await untilAnswered(() => reader.get(`/members/${other}`));
        const isRight = body[0]?.balance === ofSurvivor + ofOther && status === 410;
        if (!isRight) faults.push(`the merge of ${other} left ${body[0]?.balance} points and answers ${status}`);
        for (const path of ['dailyaggregates', 'weeklyaggregates', 'yearaggregates', 'lifetimeaggregates']) {
          const sums = await sumsOf(admin, path, survivor);
          if (`${sums}` !== `${[ofSurvivor + ofOther, 2]}`)
            faults.push(`the merge of ${other} left ${path} of ${sums}`);
        }
      }
      return faults;
    },
  };
}

/** What a member has spent, and how often it came, in all periods of a path together. */
async function sumsOf(reader: Client, path: string, memberId: string): Promise<[number, number]> {
  const query = encodeURIComponent(JSON.stringify({ memberId }));
  const { body } = await untilAnswered(() => reader.get(`/${path}?query=${query}`));
  const sum = (metric: string) =>
    body
      .filter(({ metricName }: { metricName: string }) => metricName === metric)
      .reduce((total: number, each: { metricAggValue: number }) => total + each.metricAggValue, 0);
  return [sum('spend'), sum('visits')];
}
