// A library in scalar.js tries whether it may make a function of a text. The content security policy would report that.
globalThis.Function = new Proxy(Function, {
  construct() {
    throw new EvalError('the content security policy allows no functions made of texts');
  },
});

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
