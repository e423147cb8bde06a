import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { makePolicy, makeProgram } from '../../support/definitions';
import { earn, type OrgStore, type TestOrg } from './store';

/** An org with the program `shop`. Its only rule, `good` in `shop/earn.json`, is in force as version 1. */
export interface GoodShop extends TestOrg {
  ruleSets: RuleSets;
  /** Gives the `publish` of a process that has not read any rules yet. */
  freshPublish(): Promise<() => ReturnType<RuleSets['publish']>>;
  /** Removes all rule files except the good one and publishes, so that no fault is left. */
  tidy(): Promise<void>;
  /** The absolute path of a file in the rule folder. */
  on(file: string): string;
  /** Version and keys of the rules in force. */
  inForce(): Promise<unknown>;
  /** The faults in the public status of the rule set. */
  faultLines(): Promise<string[]>;
}

export async function makeGoodShop(store: OrgStore): Promise<GoodShop> {
  const at = await store.addOrg();
  const program = await makeProgram(at.db, at.author, { code: 'shop' });
  await makePolicy(at.db, at.author, program);
  const ruleSets = await at.process();
  await at.write('shop/earn.json', earn('good', 1));
  await ruleSets.publish(at.org._id);
  const status = () => ruleSetStatus(at.db, at.org._id);
  return {
    ...at,
    ruleSets,
    async freshPublish() {
      const fresh = at.fresh();
      return () => fresh.publish(at.org._id);
    },
    async tidy() {
      await rm(at.rulesDir, { recursive: true });
      await at.write('shop/earn.json', earn('good', 1));
      await ruleSets.publish(at.org._id);
    },
    on: (file) => path.join(at.rulesDir, file),
    async inForce() {
      const { version } = await status();
      const set = await ruleSets.current(at.org._id, version ?? undefined);
      return [version, set?.rules.map(({ key }) => key)];
    },
    faultLines: async () =>
      (await status()).errors.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`),
  };
}
