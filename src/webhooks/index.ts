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
  type WebhookHandler,
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
export type { RawBody } from './verifySignature.ts';
export { parseDelivery, type ParseDeliveryFailure } from './parseDelivery.ts';
export { type VerifiedSignature, verifySignature, type VerifySignatureFailure } from './verifySignature.ts';
