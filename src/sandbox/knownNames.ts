import { livePlatform } from '../core/platform.ts';
import { loginMode } from './pics/access.ts';
import type { Call } from './route.ts';
import type { Node, NodeKind } from './world.ts';

// Names that the platform knows, by node, endpoint and mode. Source: its published API specification and manual.

const brand = livePlatform.words.picsScopePrefix;

export const userFields: readonly string[] = names(`
  about age_range birthday client_business_id community cover currency education email
  favorite_athletes favorite_teams first_name gender hometown id inspirational_people install_type
  installed is_guest_user is_work_account languages last_name link local_news_megaphone_dismiss_status
  local_news_subscription_status locale location meeting_for middle_name name name_format
  payment_pricepoints political profile_pic quotes relationship_status religion
  shared_login_upgrade_required_by short_name significant_other sports
  supports_donate_button_in_live_video third_party_id timezone token_for_business updated_time
  verified video_upload_limits website
`);

export const userEdges: readonly string[] = names(`
  accounts ad_studies adaccounts albums apprequestformerrecipients apprequests assigned_ad_accounts
  assigned_applications assigned_business_asset_groups assigned_pages assigned_product_catalogs
  assigned_whatsapp_business_accounts business_users businesses conversations custom_labels events
  feed friends fundraisers groups ids_for_apps ids_for_business ids_for_pages likes live_videos music
  payment_transactions permissions personal_ad_accounts photos picture posts rich_media_documents
  videos
`);

export const pageFields: readonly string[] = names(`
  about access_token ad_campaign affiliation app_id artists_we_like attire available_promo_offer_ids
  awards band_interests band_members best_page bio birthday booking_agent breaking_news_usage built
  business can_checkin can_post category category_list checkins company_overview
  connected_instagram_account connected_page_backed_instagram_account contact_address
  copyright_attribution_insights copyright_whitelisted_ig_partners country_page_likes cover
  culinary_team current_location delivery_and_pickup_option_info description description_html
  differently_open_offerings directed_by display_subtext displayed_message_response_time
  does_viewer_have_page_permission_link_ig emails engagement fan_count featured_video features
  followers_count food_styles founded general_info general_manager genre global_brand_page_name
  global_brand_root_id has_added_app has_lead_access has_transitioned_to_new_page_experience
  has_whatsapp_business_number has_whatsapp_number hometown hours id impressum influences
  instagram_business_account is_always_open is_calling_eligible is_chain is_community_page
  is_eligible_for_branded_content is_eligible_for_disable_connect_ig_btn_for_non_page_admin_am_web
  is_messenger_bot_get_started_enabled is_messenger_platform_bot is_owned is_permanently_closed
  is_published is_unclaimed is_verified is_webhooks_subscribed keywords leadgen_tos_acceptance_time
  leadgen_tos_accepted leadgen_tos_accepting_user link location members merchant_id
  merchant_review_status messaging_feature_status messenger_ads_default_icebreakers
  messenger_ads_default_quick_replies messenger_ads_quick_replies_type mini_shop_storefront mission
  mpg name name_with_location_descriptor network new_like_count offer_eligible overall_star_rating
  owner_business page_backed_threads_account_id page_token parent_page parking payment_options perms
  personal_info personal_interests pharma_safety_info phone pickup_options place_type plot_outline
  preferred_audience press_contact price_range priority_hours privacy_info_url produced_by products
  promotion_eligible promotion_ineligible_reason public_transit rating_count recipient record_label
  release_date restaurant_services restaurant_specialties schedule screenplay_by season
  single_line_address starring start_info store_code store_location_descriptor store_number studio
  supports_donate_button_in_live_video talking_about_count tasks temporary_status unread_message_count
  unread_notif_count unseen_message_count user_access_expire_time username verification_status
  voip_info website were_here_count whatsapp_number written_by
`);

export const pageEdges: readonly string[] = names(`
  ab_tests ads_eligibility ads_posts agencies albums ar_experience assigned_users blocked
  businessprojects call_to_actions canvas_elements canvases chat_plugin commerce_merchant_settings
  commerce_orders commerce_payouts commerce_transactions conversations crosspost_whitelisted_pages
  ctx_optimization_eligibility custom_labels custom_user_settings dataset events fantasy_games feed
  global_brand_children image_copyrights indexed_videos insights instagram_accounts leadgen_forms
  likes live_videos locations media_fingerprints message_templates messaging_feature_review
  messenger_call_permissions messenger_call_settings messenger_lead_forms messenger_profile
  notification_message_tokens page_backed_instagram_accounts personas photos picture posts
  product_catalogs published_posts ratings roles rtb_dynamic_posts scheduled_posts secondary_receivers
  settings shop_setup_status space_participants store_locations stories subscribed_apps tabs tagged
  thread_owner threads video_copyright_rules video_lists video_reels videos visitor_posts
  welcome_message_flows
`);

export const linkedFields: readonly string[] = names(`
  biography business_discovery collaborative_media_search followers_count follows_count
  has_profile_pic id ig_id is_published legacy_instagram_user_id media_count mentioned_comment
  mentioned_media mini_shop_storefront name owner_business profile_picture_url
  shopping_product_tag_eligibility shopping_review_status username website
`);

export const subscribableFields: readonly string[] = names(`
  affiliation attire awards bio birthday business_integrity call_permission_reply call_settings_update
  calls category checkins comment_poll_response company_overview conversations culinary_team
  current_location description email feature_access_list feed follow founded general_info
  general_manager group_feed hometown hours inbox_labels invalid_topic_placeholder
  invoice_access_bank_slip_events invoice_access_invoice_change invoice_access_invoice_draft_change
  invoice_access_onboarding_status_active leadgen leadgen_fat leadgen_update live_videos
  local_delivery location marketing_message_clicks marketing_message_deliveries
  marketing_message_delivery_failed marketing_message_echoes marketing_message_reads
  marketing_messages_subscriber_upload_status mcom_invoice_change members mention merchant_review
  message_context message_deliveries message_echoes message_edits message_mention message_reactions
  message_reads message_template_status_update messages messaging_account_linking
  messaging_appointments messaging_checkout_updates messaging_customer_information
  messaging_direct_sends messaging_fblogin_account_linking messaging_feedback messaging_game_plays
  messaging_handovers messaging_in_thread_lead_form_submit messaging_integrity messaging_optins
  messaging_optouts messaging_payments messaging_policy_enforcement messaging_postbacks
  messaging_pre_checkouts messaging_referrals mission name page_about_story page_change_proposal
  page_upcoming_change parking payment_options payment_request_update personal_info personal_interests
  phone picture price_range product_review products public_transit publisher_subscriptions ratings
  registration response_feedback send_cart standby story_poll_response story_share user_action
  video_text_question_responses videos website
`);

export const postFields: readonly string[] = names(`
  actions admin_creator allowed_advertising_objectives application backdated_time call_to_action
  can_reply_privately child_attachments comments_mirroring_domain coordinates created_time event
  expanded_height expanded_width feed_targeting from full_picture height icon id instagram_eligibility
  is_app_share is_eligible_for_dark_post is_eligible_for_promotion is_expired is_fb_live_videos
  is_hidden is_inline_created is_instagram_eligible is_live_clip is_popular is_published is_spherical
  message message_tags multi_share_end_card multi_share_optimized parent_id permalink_url picture
  place privacy promotable_id promotion_status properties scheduled_publish_time shares status_type
  story story_tags subscribed target targeting timeline_visibility updated_time via
  video_buying_eligibility was_fb_live_videos width
`);

export const postEdges: readonly string[] = names(`
  attachments comments dynamic_posts insights likes reactions sharedposts sponsor_tags to
`);

export const feedParams: readonly string[] = names(`
  actions album_id android_key_hash application_id asked_fun_fact_prompt_id asset3d_id associated_id
  attach_place_suggestion attached_media audience_exp backdated_time backdated_time_granularity
  breaking_news breaking_news_expiration call_to_action caption child_attachments client_mutation_id
  composer_entry_picker composer_entry_point composer_entry_time composer_session_events_log
  composer_session_id composer_source_surface composer_type connection_class content_attachment
  coordinates cta_link cta_type description direct_share_status enforce_link_ownership expanded_height
  expanded_width feed_targeting formatting fun_fact_prompt_id fun_fact_toastee_id height
  home_checkin_city_id image_crops implicit_with_tags instant_game_entry_point_data ios_bundle_id
  is_backout_draft is_boost_intended is_explicit_location is_explicit_share is_group_linking_post
  is_photo_container link location_source_id manual_privacy message multi_share_end_card
  multi_share_optimized name nectar_module object_attachment og_action_type_id
  og_hide_object_attachment og_icon_id og_object_id og_phrase og_set_profile_badge
  og_suggestion_mechanism page_recommendation picture place place_attachment_setting place_list
  place_list_data post_surfaces_blacklist posting_to_redspace privacy prompt_id prompt_tracking_string
  properties proxied_app_id publish_event_id published quote ref referenceable_image_ids referral_id
  scheduled_publish_time source sponsor_id sponsor_relationship suggested_place_id tags target_surface
  targeting text_format_metadata text_format_preset_id text_only_place thumbnail
  time_since_original_post title tracking_info unpublished_content_type user_selected_tags
  video_start_time_ms viewer_coordinates width
`);

export const postUpdateParams: readonly string[] = names(`
  attached_media backdated_time backdated_time_granularity composer_session_id direct_share_status
  explicitly_added_mentionee_ids feed_story_visibility is_explicit_location is_hidden is_pinned
  is_published message og_action_type_id og_hide_object_attachment og_icon_id og_object_id og_phrase
  og_set_profile_badge og_suggestion_mechanism place privacy product_item scheduled_publish_time
  should_sync_product_edit source_type sponsor_id sponsor_relationship tags text_format_preset_id
  timeline_visibility tracking
`);

export const photoParams: readonly string[] = names(`
  aid allow_spherical_photo alt_text_custom android_key_hash application_id attempt audience_exp
  backdated_time backdated_time_granularity caption composer_session_id direct_share_status
  feed_targeting filter_type full_res_is_coming_later initial_view_heading_override_degrees
  initial_view_pitch_override_degrees initial_view_vertical_fov_override_degrees ios_bundle_id
  is_explicit_location is_explicit_place location_source_id manual_privacy message name nectar_module
  no_story offline_id og_action_type_id og_icon_id og_object_id og_phrase og_set_profile_badge
  og_suggestion_mechanism parent_media_id place privacy profile_id provenance_info proxied_app_id
  published qn scheduled_publish_time spherical_metadata sponsor_id sponsor_relationship tags
  target_id targeting temporary time_since_original_post uid unpublished_content_type url
  user_selected_tags vault_image_id
`);

export const photoFields: readonly string[] = names(`
  album alt_text alt_text_custom backdated_time backdated_time_granularity can_backdate can_delete
  can_tag created_time event from height icon id images link name name_tags page_story_id picture
  place position source target updated_time webp_images width
`);

export const photoEdges: readonly string[] = names(`
  comments insights likes sponsor_tags
`);

export const videoStoryParams: readonly string[] = names(`
  description feed_targeting place scheduled_publish_time targeting title upload_phase video_id
  video_state
`);

export const videoParams: readonly string[] = names(`
  ad_breaks application_id asked_fun_fact_prompt_id audio_story_wave_animation_handle backdated_post
  call_to_action composer_entry_picker composer_entry_point composer_entry_time
  composer_session_events_log composer_session_id composer_source_surface composer_type
  container_type content_category content_tags creative_tools crossposted_video_id custom_labels
  description direct_share_status edit_description_spec embeddable end_offset expiration
  fbuploader_video_file_chunk feed_targeting file_size file_url fisheye_video_cropped formatting fov
  front_z_rotation fun_fact_prompt_id fun_fact_toastee_id guide guide_enabled initial_heading
  initial_pitch instant_game_entry_point_data is_boost_intended is_explicit_share
  is_group_linking_post is_partnership_ad is_voice_clip location_source_id manual_privacy
  multilingual_data no_story og_action_type_id og_icon_id og_object_id og_phrase
  og_suggestion_mechanism original_fov original_projection_type partnership_ad_ad_code
  publish_event_id published reference_only referenced_sticker_id replace_video_id
  scheduled_publish_time secret slideshow_spec social_actions source source_instagram_media_id
  specified_dialect spherical sponsor_id sponsor_relationship start_offset swap_mode targeting
  text_format_metadata thumb time_since_original_post title transcode_setting_properties
  universal_video_id unpublished_content_type upload_phase upload_session_id
  upload_setting_properties video_asset_id video_file_chunk video_id_original video_start_time_ms
  waterfall_id
`);

export const videoFields: readonly string[] = names(`
  ad_breaks admin_creator audio_isrc backdated_time backdated_time_granularity boost_eligibility_info
  content_category content_tags copyright copyright_check_information copyright_monitoring_status
  created_time custom_labels description embed_html embeddable event expiration format from icon id
  is_crosspost_video is_crossposting_eligible is_episode is_instagram_eligible is_reference_only
  length live_audience_count live_status music_video_copyright permalink_url picture place post_id
  post_views premiere_living_room_status privacy published scheduled_publish_time source spherical
  status title universal_video_id updated_time views
`);

export const videoEdges: readonly string[] = names(`
  boost_ads_list captions collaborators comments crosspost_shared_pages likes poll_settings polls
  sponsor_tags tags thumbnails video_insights
`);

export const storyFields: readonly string[] = names(`
  creation_time id media_id media_type post_id status url
`);

export const commentFields: readonly string[] = names(`
  admin_creator application attachment can_comment can_hide can_like can_remove can_reply_privately
  comment_count created_time from id is_hidden is_private like_count live_broadcast_timestamp message
  message_tags object parent permalink_url private_reply_conversation user_likes
`);

export const commentEdges: readonly string[] = names(`
  comments likes reactions
`);

export const commentParams: readonly string[] = names(`
  attachment_id attachment_share_url attachment_url comment_privacy_value facepile_mentioned_ids
  feedback_source is_offline message nectar_module object_id parent_comment_id text tracking
`);

export const commentUpdateParams: readonly string[] = names(`
  attachment_id attachment_share_url attachment_url is_hidden message
`);

export const adFields: readonly string[] = names(`
  account_id ad_active_time ad_review_feedback ad_schedule_end_time ad_schedule_start_time adlabels
  adset adset_id bid_amount bid_info bid_type campaign campaign_id configured_status conversion_domain
  conversion_specs created_time creative creative_asset_groups_spec demolink_hash display_sequence
  effective_status engagement_audience failed_delivery_checks id issues_info last_updated_by_app_id
  name placement preview_shareable_link priority recommendations source_ad source_ad_id
  special_ad_categories status targeting tracking_and_conversion_with_defaults tracking_specs
  updated_time
`);

export const adEdges: readonly string[] = names(`
  adcreatives adrules_governed copies insights leads previews targetingsentencelines
`);

export const adParams: readonly string[] = names(`
  am_call_tags date_preset from_adtable review_feedback_breakdown time_range
`);

export const adsetFields: readonly string[] = names(`
  account_id adlabels adset_schedule anchor_event_attribution_window_days asset_feed_id
  attribution_count_type attribution_spec automatic_manual_state bid_adjustments bid_amount
  bid_constraints bid_info bid_strategy billing_event brand_safety_config budget_remaining campaign
  campaign_active_time campaign_attribution campaign_id configured_status created_time
  creative_diversity_label creative_diversity_score creative_sequence
  creative_sequence_repetition_pattern daily_budget daily_min_spend_target daily_spend_cap
  destination_type dsa_beneficiary dsa_payor effective_status end_time
  existing_customer_budget_percentage frequency_control_specs full_funnel_exploration_mode id
  instagram_user_id is_ba_skip_delayed_eligible is_budget_schedule_enabled is_dynamic_creative
  is_incremental_attribution_enabled issues_info learning_stage_info lifetime_budget lifetime_imps
  lifetime_min_spend_target lifetime_spend_cap low_creative_reach max_budget_spend_percentage
  min_budget_spend_percentage multi_event_conversion_attribution_window_seconds
  multi_optimization_goal_weight name optimization_goal optimization_sub_event pacing_type
  placement_soft_opt_out promoted_object recommendations recurring_budget_semantics
  regional_regulated_categories regional_regulation_identities review_feedback rf_prediction_id
  source_adset source_adset_id special_ad_categories start_time status targeting
  targeting_optimization_types time_based_ad_rotation_id_blocks time_based_ad_rotation_intervals
  trending_topics_spec updated_time use_new_app_click value_rule_set_id value_rules_applied
`);

export const campaignFields: readonly string[] = names(`
  account_id adlabels advantage_state_info bid_strategy boosted_object_id brand_lift_studies
  budget_rebalance_flag budget_remaining buying_type campaign_group_active_time
  can_create_brand_lift_study can_use_spend_cap configured_status created_time daily_budget
  effective_status has_secondary_skadnetwork_reporting id is_adset_budget_sharing_enabled
  is_budget_schedule_enabled is_direct_send_campaign is_message_campaign is_skadnetwork_attribution
  issues_info last_budget_toggling_time lifetime_budget name objective pacing_type primary_attribution
  promoted_object recommendations smart_promotion_type source_campaign source_campaign_id
  source_recommendation_type special_ad_categories special_ad_category special_ad_category_country
  spend_cap start_time status stop_time topline_id updated_time
`);

export const leadFields: readonly string[] = names(`
  ad_id ad_name adset_id adset_name campaign_id campaign_name created_time custom_disclaimer_responses
  field_data form_id home_listing id is_organic partner_name platform post
  post_submission_check_result retailer_item_id vehicle
`);

export const formFields: readonly string[] = names(`
  allow_organic_lead block_display_for_non_targeted_viewer context_card created_time creator
  expired_leads_count follow_up_action_text follow_up_action_url id is_optimized_for_quality
  leads_count legal_content locale name organic_leads_count page page_id privacy_policy_url
  question_page_custom_headline questions status thank_you_page tracking_parameters
`);

export const formEdges: readonly string[] = names(`
  leads test_leads
`);

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

export const picsCommentFields: readonly string[] = names(`
  from hidden id legacy_${brand}comment_id like_count media parent_id text timestamp user username
`);

export const webhookFields: readonly string[] = names(`
  comment_poll_response comments creator_marketplace_invited_creator_onboarding
  creator_marketplace_projects delta follow live_comments mentions message_edit message_reactions
  messages messaging_handover messaging_optins messaging_postbacks messaging_referral messaging_seen
  onboarding_welcome_message_series share_to_story standby story_insights story_poll_response
  story_reactions
`);

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

const ofPages: Partial<Readonly<Record<NodeKind, readonly string[]>>> = {
  user: userEdges,
  page: pageEdges,
  post: postEdges,
  photo: photoEdges,
  video: videoEdges,
  comment: commentEdges,
  ad: adEdges,
  form: formEdges,
};

/** The edges that the platform has below a node, including those that the sandbox lacks. */
export function edgesOf(call: Call, { kind }: Node): readonly string[] {
  if (kind === 'picsAccount') {
    // Login mode refuses stories, although its specification lists them.
    const login = loginAccountEdges.filter((edge) => edge !== 'stories');
    return loginMode(call) ? login : pageAccountEdges;
  }
  if (kind === 'picsMedia') return loginMode(call) ? loginMediaEdges : pageMediaEdges;
  return ofPages[kind] ?? [];
}

function names(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
