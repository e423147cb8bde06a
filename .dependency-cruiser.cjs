/** The dependency rules of docs/ARCHITECTURE.md. */
const domains =
  'accounts|accrualItems|activities|aggregates|catalog|members|memberState|points|programs|reconcile|rules|rulesets|ruleEditor|jobs|demo|tiers|offers|occasions|dueOccasions|events|extensions|seed|simulations|webhooks|users|records|examples|definitions|sandbox';

/** Pure folders: neither their files nor the modules that these load do I/O. */
const pure = 'rules|points|aggregates/sums|tiers/ladder|query(?!/read)|schema|calendar|catalog/filters|records/members/find';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'ground-imports-no-domain',
      comment: 'common, metrics, tracing, calendar, schema, query and db know no domain',
      severity: 'error',
      from: { path: '^src/(common|metrics|tracing|calendar|schema|query|db)/' },
      to: { path: `^src/(${domains}|auth|http|embedded|commands)/` },
    },
    {
      name: 'http-imports-no-domain',
      comment: 'http serves every resource, so it knows none',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: `^src/(${domains}|embedded|commands)/` },
    },
    {
      name: 'routes-are-leaves',
      comment: 'A domain imports another domain, never its routes',
      severity: 'error',
      from: { pathNot: '^src/(routes|app)\\.ts$' },
      to: { path: '^src/[^/]+/\\w*[rR]outes\\.ts$' },
    },
    {
      name: 'pure-core',
      comment: 'Rules, schemas and the arithmetic of points, tiers, periods and queries do no I/O, nor do the modules they load',
      severity: 'error',
      from: { path: `^src/(${pure})/` },
      to: { path: 'node_modules/(mongoose|mongodb|bullmq|ioredis|koa|@koa)/', reachable: true },
    },
    {
      name: 'pure-core-without-files',
      severity: 'error',
      from: { path: `^src/(${pure})/` },
      to: { path: '^(node:)?(fs|net|http|https|child_process|worker_threads)(/|$)', dependencyTypes: ['core'] },
    },
    {
      name: 'workers-import-src-only',
      severity: 'error',
      from: { path: '^workers/' },
      to: { path: '^(?!src/|workers/|node_modules/)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'workers-know-no-http',
      severity: 'error',
      from: { path: '^workers/', pathNot: '^workers/start\\.ts$' },
      to: { path: '^src/(http|commands|embedded)/|^src/(app|main)\\.ts$' },
    },
    {
      name: 'src-imports-no-workers',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^workers/' },
    },
    {
      name: 'commands-are-roots',
      comment: 'only a process starts these files; no other file imports them',
      severity: 'error',
      from: { pathNot: '^src/commands/' },
      to: { path: '^src/(commands/|(start|main)\\.ts$)|^workers/main\\.ts$' },
    },
    { name: 'no-tests', severity: 'error', from: { path: '^(src|workers)/' }, to: { path: '^test/' } },
    { name: 'no-dev-dependencies', severity: 'error', from: { path: '^(src|workers)/' }, to: { dependencyTypes: ['npm-dev'] } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Only modules that are loaded at run time count. Imports of types disappear, so pure files may name a type of I/O.
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
  },
};
