export { checkText, type TextCheck, type TextExcess, type TextKind } from './checkText.ts';
export * from './comments.ts';
export * from './community.ts';
export {
  type Acknowledgement,
  type Created,
  type InnerList,
  type Raw,
  type Schema,
  acknowledgementSchema,
  createdSchema,
} from './fields.ts';
export * from './inbox.ts';
export * from './insights.ts';
export * from './leads.ts';
export * from './media.ts';
export * from './messengerProfile.ts';
export * from './polls.ts';
export * from './posts.ts';
export * from './profile.ts';
export * from './stories.ts';
export * from './textLimits.ts';
export {
  type AskedPermission,
  type GranularScope,
  type TokenBundle,
  type TokenFault,
  type TokenInfo,
  askedPermissionsSchema,
  tokenInfoSchema,
  tokenResponseSchema,
} from './tokens.ts';
