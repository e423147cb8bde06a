import regexp from 'eslint-plugin-regexp';
import security from 'eslint-plugin-security';
import tseslint from 'typescript-eslint';

// Biome formats and finds the everyday faults; ESLint adds what needs types, and the security and regexp rules.
export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', 'data/'] },
  {
    files: ['src/**/*.ts', 'workers/**/*.ts', 'test/**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: './tsconfig.check.json', tsconfigRootDir: import.meta.dirname },
    },
    plugins: { '@typescript-eslint': tseslint.plugin, security, regexp },
    rules: {
      ...security.configs.recommended.rules,
      ...regexp.configs['flat/recommended'].rules,
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      // Both flag every computed access and every path that is a variable, which here are checked values.
      'security/detect-object-injection': 'off',
      'security/detect-non-literal-fs-filename': 'off',
    },
  },
  { files: ['test/**/*.ts'], rules: { 'max-lines-per-function': 'off', 'security/detect-non-literal-regexp': 'off' } },
);
