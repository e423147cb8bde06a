// A library in scalar.js would try whether `eval` is allowed. The content security policy would report that.
globalThis.__zod_globalConfig = { jitless: true };

// The browser calls this when scalar.js has run.
addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    authentication: { preferredSecurityScheme: 'token' },
    persistAuth: true,
    orderSchemaPropertiesBy: 'preserve',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    // Nothing comes from other hosts, and nothing goes to them.
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  });
});
