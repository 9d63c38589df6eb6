export {
  ConfigurationError,
  DeliveryError,
  SdkError,
  SignatureError,
  type SignatureReason,
} from '../core/errors.ts';
export * from './createWebhookHandler.ts';
export * from './withoutHandler.ts';
export type * from './events.ts';
export type { ReceiveOptions, Rejection, RejectionReason, WebhookHandler } from './receive.ts';
export type { OnceType } from './readDelivery.ts';
export type { RawBody } from './signature.ts';
export {
  createDataDeletionHandler,
  createDeauthorizeHandler,
  type DataDeletion,
  type DataDeletionHandlerOptions,
  type DeauthorizeHandlerOptions,
  type SignedRequest,
} from './signedRequests.ts';
