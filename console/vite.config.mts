import path from 'node:path';
import { defineConfig } from 'vite';

/** `npm start` of the service, which the development server asks for everything that is not the console's. */
const service = 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/console/',
  // Stands for the nonce of a request (src/server/consoleFiles/consoleFiles.ts); Vite writes it wherever a policy wants one.
  html: { cspNonce: '__NONCE__' },
  resolve: {
    alias: { 'loyalty-client': path.resolve(import.meta.dirname, '../clients/typescript/src') },
    dedupe: ['react', 'react-dom', '@emotion/react'],
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // Files of their own, so that the policy needs no `data:` for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      // Packages for servers too mark their files with 'use client', which means nothing here.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
  server: { proxy: { '/api': service, '/openapi.json': service } },
});
