import { type Static, Type } from '@sinclair/typebox';
import { runScenarioIn } from '#activities/scenario/runScenario';
import type { Clock } from '#base/common/clock';
import { groupBy } from '#base/common/lists/groupBy';
import { list, record } from '#base/schema/atoms';
import { messageShape } from '#base/schema/messageShape';
import type { Language } from '#base/words/language';
import type { RuleDefinition } from '#engine/rules/format/rule';
import { lintWarnings } from '#engine/rules/lint/lintWarnings';
import { phrasebookFor } from '#engine/rules/phrasebooks/phrasebookFor';
import { isTable } from '#engine/rules/read/fileNames';
import { rulesMax } from '#engine/rules/read/orgRuleLimits';
import type { IsTested } from '#engine/rules/read/readRules';
import { coverRules } from '#engine/rules/ruleTests/coverRules';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { readLanguage } from '#platform/http/languageArgument';
import type { Answer, Request } from '#platform/http/route';
import { ok } from '#platform/http/route';
import { faultOrigin, fileFaultShape } from '#publishing/rulesets/files/fileFault';
import { coverageOfRule, ruleCoverageShape } from './coverageOfRule';
import { editedFiles } from './editedFiles';
import { type EditedRules, readEdited } from './readEdited';

/** Maximum number of faults in an answer, and of warnings. */
const faultsMax = 1000;

/** The body of `POST /rules/preview`. */
export const previewBody = record({ files: editedFiles });

const testShape = record({
  name: Type.String(),
  differences: list(Type.String(), faultsMax, { description: 'What came otherwise than expected; none: it passed' }),
  messages: list(messageShape, faultsMax, { description: 'The differences, with what translations need' }),
  fired: list(Type.String(), rulesMax, { description: 'Keys of the rules that fired' }),
});

const previewedRule = record({
  program: Type.String({ description: 'Code' }),
  key: Type.String(),
  table: Type.Optional(Type.String({ description: 'Key of the table whose row it is' })),
  sentence: Type.String(),
  words: list(Type.String(), faultsMax, { description: 'The whole rule as lines of text' }),
  tests: list(testShape, faultsMax),
  coverage: ruleCoverageShape,
});

const fault = record({ ...fileFaultShape.properties, from: faultOrigin });

/** The answer of `POST /rules/preview`. */
export const previewAnswer = record({
  errors: list(fault, faultsMax),
  warnings: list(fault, faultsMax),
  rules: list(previewedRule, rulesMax, { description: 'The rules of the sent files that have no fault of their own' }),
});

/** `POST /rules/preview`: what a load would say of changed files, and their rules in words, with their tests. */
export async function previewRules({ services, principal, body, query }: Request): Promise<Answer> {
  const language = readLanguage(query);
  const { files } = body as Static<typeof previewBody>;
  const sent = new Set(files.map(({ path }) => path));
  const hasTable = files.some(({ path }) => isTable(path));
  const isOwn = ({ file, row }: RuleDefinition) => sent.has(file) || (row !== undefined && sent.has(row.file));
  const read = await readEdited(services, principal.org, files, {
    isTested: concernedBy(isOwn, hasTable),
    language,
  });
  const own = read.rules.filter(isOwn);
  const origin = (faults: readonly RuleFault[]) =>
    faults.slice(0, faultsMax).map((each) => ({ ...each, from: sent.has(each.file) ? 'upload' : 'folder' }));
  return ok({
    errors: origin(read.errors),
    warnings: origin(await previewWarnings(read, sent, services.clock)),
    rules: await describe(own, read, language),
  });
}

/**
 * Rules with tests that the changed files may change: their own, those that name one of them, and with a changed table
 * all that read one. Others come out as before, and there may be thousands.
 */
function concernedBy(isOwn: (rule: RuleDefinition) => boolean, hasTable: boolean): IsTested {
  let keys: string[] | undefined;
  return (rule, all) => {
    if (isOwn(rule) || (hasTable && rule.lookupTables)) return true;
    keys ??= all
      .filter(isOwn)
      .flatMap(({ key, row }) => [key, ...(row ? [row.table] : [])].map((each) => JSON.stringify(each)));
    const text = JSON.stringify(rule.tests ?? []);
    return keys.some((key) => text.includes(key));
  };
}

/** What is doubtful in the sent files, or because of them. */
async function previewWarnings(read: EditedRules, sent: ReadonlySet<string>, clock: Clock): Promise<RuleFault[]> {
  const found = [...read.warnings, ...(await lintWarnings(read, clock.now()))];
  return found.filter(({ file, params }) => sent.has(file) || sent.has(String(params?.file)));
}

async function describe(own: readonly RuleDefinition[], read: EditedRules, language: Language) {
  const phrasebook = phrasebookFor(language);
  const { definitions, lookupTables } = read;
  const known = { ...definitions, lookupTables };
  const coverage = await coverRules(read.rules, known, { runScenario: runScenarioIn(language), of: own });
  const { outcomes } = coverage;
  const testsOf = groupBy(outcomes, ({ rule }) => rule);
  return own.map((rule) => {
    const program = definitions.programs.find(({ code }) => code === rule.programCode);
    return {
      program: rule.programCode,
      key: rule.key,
      ...(rule.row ? { table: rule.row.table } : {}),
      sentence: phrasebook.rule(rule, program?.timezone),
      words: phrasebook.lines(rule, program?.timezone),
      tests: (testsOf.get(rule) ?? []).map(({ test, differences, fired }) => ({
        name: test.name,
        differences: differences.map(({ message: text }) => text),
        messages: differences,
        fired,
      })),
      coverage: coverageOfRule(rule, coverage, phrasebook),
    };
  });
}
