import { LoyaltyError } from 'loyalty-client/loyaltyError';

type Translate = (key: string, options?: Record<string, unknown>) => string;

/** Says what went wrong, and what to do: what the service said, or that it could not be reached. */
export function faultText(error: unknown, translate: Translate): string {
  const told = error instanceof Error && error.cause instanceof LoyaltyError ? error.cause : error;
  if (!(told instanceof LoyaltyError)) {
    return error instanceof TypeError
      ? translate('fault.lost')
      : translate(`said.${error instanceof Error ? error.message : String(error)}`);
  }
  const { status, message, requestId, errors } = told;
  if (status === 403) return translate('fault.forbidden');
  if (status === 429) return translate('fault.often');
  if (status === 503) return translate('fault.away');
  if (status >= 500) return translate('fault.failed', { requestId: requestId ?? '' });
  const named = errors
    .map(({ path, message: fault }) => `${translate(`fields.${path}`, { _: path })}: ${translate(`said.${fault}`)}`)
    .join('; ');
  return named === '' ? translate(`said.${message}`) : named;
}
