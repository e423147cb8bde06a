import { access, constants, readdir } from 'node:fs/promises';
import path from 'node:path';
import { collectionOf } from '#base/db/collections';
import { orgRuleFolder } from '#publishing/rulesets/files/ruleFolders';
import { programsWithoutRules } from '#publishing/rulesets/programsWithoutRules';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import { programResource } from '#records/programs/program';
import { orgResource } from '#records/users/org';
import { type Check, type Deployment, failure, first, warning } from './check';

async function firstOrgs({ db }: Deployment) {
  return collectionOf(db, orgResource).find({}).limit(100).toArray();
}

/** The folder of an org, and the folders of programs in it; undefined when it cannot be read. */
async function listProgramFolders({ config }: Deployment, code: string) {
  const { folder } = orgRuleFolder({ rulesDir: config.rulesDir, orgCode: config.ORG }, code);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  return { folder, programs: entries?.filter((each) => each.isDirectory() && !each.name.startsWith('@')) };
}

/** Checks of rule files and of the rules in force. */
export const rulesChecks: readonly Check[] = [
  {
    name: 'rules.folders',
    async run(at) {
      const { rulesDir } = at.config;
      const isReadable = await access(rulesDir, constants.R_OK | constants.X_OK).then(
        () => true,
        () => false,
      );
      if (!isReadable)
        return failure(`${rulesDir} cannot be read`, 'Set RULES_DIR, or let the user of the service read the folder.');
      const strays: string[] = [];
      for (const { _id: org, code } of await firstOrgs(at)) {
        const { folder, programs = [] } = await listProgramFolders(at, code);
        const known = new Set(await collectionOf(at.db, programResource).distinct('code', { org }));
        strays.push(...programs.filter(({ name }) => !known.has(name)).map(({ name }) => path.join(folder, name)));
      }
      const advice = 'Make a program with the name of the folder as code, or remove the folder: it is not read.';
      return first([strays.length > 0 && warning(`of no program: ${strays.slice(0, 5).join(', ')}`, advice)], rulesDir);
    },
  },
  {
    name: 'rules.faults',
    async run(at) {
      const faulty: string[] = [];
      for (const { _id, code } of await firstOrgs(at)) {
        const { errors } = await ruleSetStatus(at.db, _id);
        if (errors.length > 0) faulty.push(`org ${code}: ${errors.length} (${errors[0]?.file})`);
      }
      const advice = 'Run npm run rules -- check; programs with faults keep their earlier rules.';
      return first([faulty.length > 0 && failure(faulty.slice(0, 5).join('; '), advice)], 'none at the last load');
    },
  },
  {
    name: 'rules.programs',
    async run(at) {
      const without: string[] = [];
      for (const org of await firstOrgs(at)) {
        const refused = await programsWithoutRules(at.db, org);
        const { programs = [] } = await listProgramFolders(at, org.code);
        const named = new Set(programs.map(({ name }) => name));
        const all = await collectionOf(at.db, programResource).find({ org: org._id }).limit(1000).toArray();
        // Rules of a clone or a rollback need no folder.
        const ruled = new Set((await ruleSetInForce(at.db, org._id))?.drafts.map(({ programCode }) => programCode));
        const noFolder = all
          .filter(({ code, status }) => status === 'Active' && !named.has(code) && !ruled.has(code))
          .map(({ code }) => code);
        without.push(...[...new Set([...refused, ...noFolder])].map((code) => `${org.code}/${code}`));
      }
      const advice = 'Write rules for them: their activities earn nothing.';
      return first(
        [without.length > 0 && warning(`without rules: ${without.slice(0, 5).join(', ')}`, advice)],
        'all have rules',
      );
    },
  },
];
