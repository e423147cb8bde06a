import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { messageText } from '../i18n/i18nProvider';

type Translate = (key: string, options?: Record<string, unknown>) => string;

/** Says what went wrong, and what to do: what the service said, or that it could not be reached. */
export function faultText(error: unknown, translate: Translate): string {
  const serviceError = error instanceof Error && error.cause instanceof LoyaltyError ? error.cause : error;
  if (!(serviceError instanceof LoyaltyError)) {
    if (error instanceof TypeError) return translate('fault.lost');
    return error instanceof Error ? error.message : String(error);
  }
  const { status, requestId, errors } = serviceError;
  if (status === 403) return translate('fault.forbidden');
  if (status === 429) return translate('fault.often');
  if (status === 503) return translate('fault.away');
  if (status >= 500) return translate('fault.failed', { requestId: requestId ?? '' });
  const named = errors
    .map((fault) => `${translate(`fields.${fault.path}`, { _: fault.path })}: ${messageText(fault)}`)
    .join('; ');
  return named === '' ? messageText(serviceError) : named;
}
