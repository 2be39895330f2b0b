export type { CountryFilter, PurchaseReference } from './bills.ts'
export { Kusanya } from './client.ts'
export { type Duplicate, KusanyaError } from './errors.ts'
export { List, type Page } from './lists.ts'
export type { components, operations } from './openapi.ts'
export { type WaitOptions, WaitTimeout } from './poll.ts'
export type { StreamedEvent, StreamOptions } from './stream.ts'
export type { CallOptions, CreateOptions, KusanyaOptions } from './transport.ts'
export type * from './types.ts'
export {
  type IncomingHeaders,
  type VerifiedNotification,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from './webhooks.ts'
