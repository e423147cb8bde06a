import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { HttpError } from 'react-admin';
import { messageText } from '../i18n/i18nProvider';

/**
 * An error that forms understand: `body.errors` has the fault of each field by its path, such as `levels.0.name`, in the
 * language of the console.
 * Everything else of the answer is in `cause`.
 */
export async function forForm<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof LoyaltyError) || error.errors.length === 0) throw error;
    const errors = Object.fromEntries(error.errors.map((fault) => [fault.path, messageText(fault)]));
    const formError = new HttpError(messageText(error), error.status, { errors });
    formError.cause = error;
    throw formError;
  }
}
