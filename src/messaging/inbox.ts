/** An inbox of the platform. */
export interface Inbox {
  /** The node that has its conversations: a Page, or an account. */
  readonly node: string;
  /** Value of the parameter `platform`. */
  readonly platform: string;
  /** The fields of a partner's profile. */
  readonly contactFields: string;
}
