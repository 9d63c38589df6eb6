/** Names that the platform knows, by node and endpoint. Source: its published API specification and manual. */
export const picsContactFields: readonly string[] = names(`
  follower_count id is_business_follow_user is_user_follow_business is_verified_user name profile_pic
  username
`);

export const conversationFields: readonly string[] = names(`
  can_reply folder former_participants id is_owner is_subscribed link linked_group message_count name
  participants scoped_thread_key senders snippet unread_count updated_time wallpaper
`);

export const messageFields: readonly string[] = names(`
  attachments created_time from id is_unsupported message reactions reply_to shares sticker story tags
  to
`);

export const loginMessageParams: readonly string[] = names(`
  folder message messaging_type payload recipient reply_to sender_action tag thread_control
`);

export const pageMessageParams: readonly string[] = [
  ...loginMessageParams,
  'notification_type',
  'persona_id',
  'suggestion_action',
];

export const pageContactFields: readonly string[] = names(`
  first_name gender id last_name locale name profile_pic timezone
`);

function names(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
