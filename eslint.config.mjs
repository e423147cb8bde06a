import regexp from 'eslint-plugin-regexp';
import security from 'eslint-plugin-security';
import tseslint from 'typescript-eslint';

const clock = 'Time is a value: take it from the clock of the services';
const settings = { object: 'process', property: 'env', message: 'The environment is read in src/platform/infrastructure/config.ts only' };
const newDate = { selector: 'NewExpression[callee.name=Date][arguments.length=0]', message: clock };
const spread = 'Write the fields or elements out, one a line if need be: a spread of a literal only keeps them on one line';
const literalSpreads = ['ObjectExpression', 'ArrayExpression'].map((literal) => ({
  selector: `:matches(SpreadElement, ExperimentalSpreadProperty) > ${literal}`,
  message: spread,
}));
const clocks = [
  { object: 'Date', property: 'now', message: clock },
  { object: 'performance', property: 'now', message: clock },
  { object: 'process', property: 'hrtime', message: clock },
  { object: 'DateTime', property: 'now', message: clock },
];

// Biome formats and finds common faults, oxlint checks types and the rules that need them (.oxlintrc.json). ESLint adds
// the rules of security and of regular expressions, and what this service may not read.
export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', 'data/', 'test/clients/'] },
  {
    files: ['src/**/*.ts', 'workers/**/*.ts', 'test/**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { security, regexp },
    rules: {
      ...security.configs.recommended.rules,
      ...regexp.configs['flat/recommended'].rules,
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...literalSpreads],
      // These rules flag every computed property access and every variable path. Here the values are checked before.
      'security/detect-object-injection': 'off',
      'security/detect-non-literal-fs-filename': 'off',
    },
  },
  // The console. It reads the clock of the browser, and a component with its markup may be longer than a function.
  {
    files: ['console/src/**/*.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser },
    plugins: { security, regexp },
    rules: {
      ...security.configs.recommended.rules,
      ...regexp.configs['flat/recommended'].rules,
      'max-lines-per-function': ['error', { max: 90, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': ['error', ...literalSpreads],
      'security/detect-object-injection': 'off',
      // Whoever could measure it is the user whose browser it is.
      'security/detect-possible-timing-attacks': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'workers/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', settings, ...clocks],
      'no-restricted-syntax': ['error', newDate, ...literalSpreads],
    },
  },
  { files: ['src/platform/infrastructure/config.ts'], rules: { 'no-restricted-properties': ['error', ...clocks] } },
  { files: ['src/base/common/clock.ts'], rules: { 'no-restricted-syntax': ['error', ...literalSpreads], 'no-restricted-properties': ['error', settings] } },
  // These files measure how long a request or a process takes, which does not depend on the clock of the service.
  {
    files: ['src/base/common/yielding.ts', 'src/base/common/progressTo.ts', 'src/server/startUp/**/*.ts', 'src/operations/embedded/**/*.ts'],
    rules: { 'no-restricted-properties': ['error', settings] },
  },
  // A describe block is one function, however many tests it contains. Tests build patterns from the data that they sent.
  { files: ['test/**/*.ts'], rules: { 'max-lines-per-function': 'off', 'security/detect-non-literal-regexp': 'off' } },
);
