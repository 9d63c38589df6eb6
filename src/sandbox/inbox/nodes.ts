interface Base {
  readonly id: string;
  /** Subjects (account, Page) whose tokens have access to it. */
  readonly owners: readonly string[];
  /** Sandbox clock, milliseconds. */
  readonly createdAt: number;
}

/** A person who writes to an account or a Page, under an id that only this account or Page knows. */
export interface ContactNode extends Base {
  readonly kind: 'contact';
  /** The account or the Page. */
  readonly ownerId: string;
  /** The id under which the person comments, if it differs. */
  readonly personId: string | undefined;
  /** Of a person who writes to an account. */
  readonly username: string | undefined;
  readonly name: string | null;
  readonly picture: string | null;
  readonly followers: number;
  readonly consent: boolean;
  /** Whether the person left the platform, so that the id is refused. */
  readonly gone: boolean;
}

export interface ConversationNode extends Base {
  readonly kind: 'conversation';
  /** The account or the Page. */
  readonly ownerId: string;
  readonly contactId: string;
  /** Until when the account or the Page has seen the messages. */
  seenAt: number;
}

export interface MessageNode extends Base {
  readonly kind: 'message';
  readonly conversationId: string;
  /** Whether the contact sent it, not the account or the Page. */
  readonly inbound: boolean;
  readonly text: string;
  /** Attachments, reactions and the like, as the wire shows them. */
  extra: Readonly<Record<string, unknown>>;
}

/** A file that was uploaded to be sent. */
interface AttachmentNode extends Base {
  readonly kind: 'attachment';
  readonly ownerId: string;
  readonly type: string;
  readonly url: string;
}

/** Every kind of node of the inboxes, by the name of its kind. */
export interface InboxNodes {
  contact: ContactNode;
  conversation: ConversationNode;
  message: MessageNode;
  attachment: AttachmentNode;
}
