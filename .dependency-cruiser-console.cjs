/** The rules of imports in the console, seen from its folder. It is built by itself and talks to the service over HTTP. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'console-talks-to-the-api',
      comment: 'Of the repository, the console imports only the generated client, and the ids of messages for its translations',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^[.][.]/(src|workers|test)/', pathNot: '^[.][.]/src/base/common/messages/' },
    },
    {
      name: 'messages-are-types',
      comment: 'Translations take the type of the ids; the texts themselves would come to the browser',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^[.][.]/src/base/common/messages/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ground-imports-no-part',
      comment: 'What every part uses knows none of them',
      severity: 'error',
      from: { path: '^src/(api|session|i18n|time)/' },
      to: { path: '^src/(overview|members|rules|definitions|operations|audit)/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
