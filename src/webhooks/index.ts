export {
  ConfigurationError,
  DeliveryError,
  SdkError,
  SignatureError,
  type SignatureReason,
} from '../core/errors.ts';
export { answerChallenge, type AnswerChallengeFailure } from './answerChallenge.ts';
export {
  createWebhookHandler,
  type EventEffects,
  type Once,
  type WebhookHandlerOptions,
} from './createWebhookHandler.ts';
export type * from './data.ts';
export type {
  Delivery,
  EventOf,
  MessagingKeys,
  PageFields,
  PicsFields,
  UnknownEvent,
  WebhookEvent,
} from './event.ts';
export { eventKey, type EventSubject, type OnceType } from './eventKey.ts';
export type { ReceiveOptions, Rejection, RejectionReason, WebhookHandler } from './receive.ts';
export type { RawBody } from './signature.ts';
export {
  createDataDeletionHandler,
  createDeauthorizeHandler,
  type DataDeletion,
  type DataDeletionHandlerOptions,
  type DeauthorizeHandlerOptions,
} from './signedRequestHandlers.ts';
export type { SignedRequest } from './signedRequest.ts';
export { parseSignedRequest, type ParseSignedRequestFailure } from './parseSignedRequest.ts';
export { parseDelivery, type ParseDeliveryFailure } from './parseDelivery.ts';
export { type VerifiedSignature, verifySignature, type VerifySignatureFailure } from './verifySignature.ts';
