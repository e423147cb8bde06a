/**
 * The operations that take no `Idempotency-Key` and may have a second effect when they are sent again. `npm run clients`
 * writes this list: every POST that the document gives no such header, every PUT, PATCH and DELETE without `If-Match`.
 */
export const sentOnce: readonly string[] = [
  'POST /api/v1/login',
  'POST /api/v1/myaccount/renew',
  'POST /api/v1/login/oidc/token',
  'POST /api/v1/apikeys',
  'POST /api/v1/apikeys/{id}/rotate',
  'POST /api/v1/webhooks',
  'POST /api/v1/webhooks/{id}/rotate',
  'POST /api/v1/rules/preview',
  'POST /api/v1/rules/changes',
  'POST /api/v1/rules/try',
  'POST /api/v1/rules/check',
  'PUT /api/v1/sandbox/clock',
  'POST /api/v1/sandbox/wipe',
];
