/** The dependency rules of docs/ARCHITECTURE.md. */

const districts = require('./.districts.cjs');

const all = districts.rows.flat();
const pure = `^src/(${districts.pure.join('|')})/`;

/** One rule for each district: it imports itself and the rows above its own. */
const onlyDown = districts.rows.flatMap((row, at) =>
  row.map((district) => ({
    name: `${district}-imports-down`,
    severity: 'error',
    from: { path: `^src/${district}/` },
    to: { path: `^src/(?!(${[...districts.rows.slice(0, at).flat(), district].join('|')})/)|^workers/` },
  })),
);

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...onlyDown,
    {
      name: 'routes-are-leaves',
      comment: 'A room imports what another room does, never its routes',
      severity: 'error',
      from: { pathNot: '^src/server/' },
      to: { path: '^src/.*/(routes|\\w+Routes)\\.ts$', pathNot: '^src/(platform/http/|server/routes\\.ts)' },
    },
    {
      name: 'pure-core',
      comment: 'Rules, schemas and the arithmetic of points, tiers, periods and queries do no I/O, nor do the modules they load',
      severity: 'error',
      from: { path: pure },
      to: { path: 'node_modules/(mongoose|mongodb|bullmq|ioredis|koa|@koa)/', reachable: true },
    },
    {
      name: 'pure-core-without-files',
      severity: 'error',
      from: { path: pure },
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
      comment: 'only npm start runs the API and the workers in one process',
      severity: 'error',
      from: { path: '^workers/', pathNot: '^workers/start\\.ts$' },
      to: { path: '^src/platform/http/|^src/operations/embedded/|^src/commands/|^src/server/(app|main)\\.ts$' },
    },
    {
      name: 'processes-are-roots',
      comment: 'only a process starts these files; no other file imports them',
      severity: 'error',
      from: { pathNot: '^src/commands/' },
      to: { path: '^src/commands/|^src/server/main\\.ts$|^workers/(start|main)\\.ts$' },
    },
    {
      name: 'every-file-has-a-district',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(${all.join('|')})/` },
      to: {},
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
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'require', 'node', 'default', 'types'],
    },
  },
};
