import { livePlatform } from '../../core/platform.ts';

const brand = livePlatform.words.picsScopePrefix;

/** Names that the platform knows, by node, endpoint and mode. Source: its published API specification. */
export const loginAccountFields: readonly string[] = names(`
  account_type biography followers_count follows_count id media_count name profile_picture_url user_id
  username website
`);

export const loginAccountEdges: readonly string[] = names(`
  business_messaging_feature_status content_publishing_limit conversations insights live_media media
  messenger_profile stories subscribed_apps tags welcome_message_flows
`);

export const pageAccountFields: readonly string[] = names(`
  biography business_discovery collaborative_media_search followers_count follows_count
  has_profile_pic id ig_id is_published legacy_${brand}user_id media_count mentioned_comment
  mentioned_media mini_shop_storefront name owner_business profile_picture_url
  shopping_product_tag_eligibility shopping_review_status username website
`);

export const pageAccountEdges: readonly string[] = names(`
  agencies authorized_adaccounts available_catalogs branded_content_ad_permissions
  branded_content_advertisable_medias branded_content_tag_approval catalog_product_search
  collaboration_invites collaborative_media content_publishing_limit creator_marketplace_creators
  dataset insights live_media media notification_message_tokens product_appeal
  recently_searched_hashtags scheduled_media stories tags upcoming_events welcome_message_flows
`);

export const loginMediaFields: readonly string[] = names(`
  alt_text caption comments_count current_live_viewer_count id is_ai_generated is_comment_enabled
  is_shared_to_feed like_count media_product_type media_type media_url owner permalink shortcode
  thumbnail_url timestamp username
`);

/** `video_title` is not among them: every version that still works refuses it. */
export const pageMediaFields: readonly string[] = [
  ...loginMediaFields,
  ...names(`
    audio_id boost_eligibility_info copyright_check_information has_poll has_slider ig_id
    legacy_${brand}media_id media_audio_type reposts_count saved_count shares_count
    total_comments_count total_like_count total_views_count
  `),
];

export const loginMediaEdges: readonly string[] = ['insights'];

export const pageMediaEdges: readonly string[] = names(`
  boost_ads_list branded_content_partner_promote collaborators insights product_tags
`);

export const containerParams: readonly string[] = names(`
  alt_text audio_configuration audio_name caption children collaborators cover_url image_url
  is_ai_generated is_carousel_item location_id media_type product_tags share_to_feed thumb_offset
  trial_params upload_type user_tags video_url
`);

export const pageContainerParams: readonly string[] = [
  ...containerParams,
  'branded_content_sponsor_ids',
  'is_paid_partnership',
];

export const commentFields: readonly string[] = names(`
  from hidden id legacy_${brand}comment_id like_count media parent_id text timestamp user username
`);

export const webhookFields: readonly string[] = names(`
  comment_poll_response comments creator_marketplace_invited_creator_onboarding
  creator_marketplace_projects delta follow live_comments mentions message_edit message_reactions
  messages messaging_handover messaging_optins messaging_postbacks messaging_referral messaging_seen
  onboarding_welcome_message_series share_to_story standby story_insights story_poll_response
  story_reactions
`);

function names(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
