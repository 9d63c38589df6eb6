export {
  ConfigurationError,
  DeliveryError,
  SdkError,
  SignatureError,
  type SignatureReason,
} from '../core/errors.ts';
