export {
  type Credentials,
  createLoyaltyClient,
  type LoyaltyClient,
  type LoyaltyClientOptions,
  type TokenSource,
} from './client';
export type { components, operations, paths } from './generated/api';
export { type FieldError, LoyaltyError, result } from './loyaltyError';
export type { FilterValue } from './loyaltyPaths';
export { type PageQuery, pages } from './pages';
export type { RetryOptions } from './retries';
export { type TestEvent, verifyWebhook, type WebhookEvent } from './webhooks';
