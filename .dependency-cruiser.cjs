/** The dependency rules of docs/ARCHITECTURE.md. */
const domains = 'accounts|activities|aggregates|catalog|members|points|programs|rules|rulesets|jobs|demo';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'ground-imports-no-domain',
      comment: 'schema, query, db and the parts of http that serve every resource know no domain',
      severity: 'error',
      from: { path: '^src/(schema|query|db)/' },
      to: { path: `^src/(${domains}|auth|http)/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'http-imports-no-domain',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: `^src/(${domains})/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'routes-are-leaves',
      comment: 'A domain imports another domain, never its routes',
      severity: 'error',
      from: { pathNot: '^src/(routes|app)\\.ts$' },
      to: { path: '^src/[^/]+/routes\\.ts$' },
    },
    {
      name: 'pure-core',
      comment: 'Rules and the arithmetic of points, periods and queries do no I/O',
      severity: 'error',
      from: {
        path: '^src/(rules/|points/(ledger|lot|purse|burn|escrow|expiry|giveBack|reconcile|terms|journalEntry)|aggregates/(periods|addToLifetime)|query/(?!read|heavy))',
      },
      to: { path: 'node_modules/(mongoose|mongodb|bullmq|ioredis|koa|@koa)/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'src-imports-no-workers', severity: 'error', from: { path: '^src/(?!start\\.ts)' }, to: { path: '^workers/' } },
    { name: 'no-dev-dependencies', severity: 'error', from: { path: '^(src|workers)/' }, to: { dependencyTypes: ['npm-dev'] } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
  },
};
