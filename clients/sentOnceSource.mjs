// Which operations a client must not send twice, as the OpenAPI document tells.

/** The header by which an operation is told that it was sent before, or for which version of a record it is meant. */
const guards = { post: 'Idempotency-Key', put: 'If-Match', patch: 'If-Match', delete: 'If-Match' };

/** The operations that change something and take no such header, as `POST /api/v1/apikeys`. */
function sentOnceOf({ paths }) {
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([method, { parameters = [] }]) => {
        const guard = guards[method];
        return guard !== undefined && !parameters.some((each) => each.in === 'header' && each.name === guard);
      })
      .map(([method]) => `${method.toUpperCase()} ${template}`),
  );
}

/** The source file of the client with these operations. */
export function sentOnceSource(document) {
  const lines = sentOnceOf(document).map((operation) => `  '${operation}',\n`);
  return `/**
 * The operations that take no \`Idempotency-Key\` and may have a second effect when they are sent again. \`npm run clients\`
 * writes this list: every POST that the document gives no such header, every PUT, PATCH and DELETE without \`If-Match\`.
 */
export const sentOnce: readonly string[] = [
${lines.join('')}];
`;
}
