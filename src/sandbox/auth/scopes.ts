import { livePlatform } from '../../core/platform.ts';

const picsScopePrefix = livePlatform.words.picsScopePrefix;

/** Permissions that the page platform's dialog can grant. */
export const pageScopes: readonly string[] = [
  'public_profile',
  'email',
  'business_management',
  'pages_show_list',
  'pages_read_engagement',
  'pages_read_user_content',
  'pages_manage_metadata',
  'pages_manage_posts',
  'pages_manage_engagement',
  'pages_manage_ads',
  'pages_messaging',
  'read_insights',
  'ads_management',
  'ads_read',
  'leads_retrieval',
  'catalog_management',
  ...[
    'basic',
    'content_publish',
    'manage_comments',
    'manage_contents',
    'manage_engagement',
    'manage_insights',
    'manage_messages',
    'shopping_tag_products',
  ].map((name) => picsScopePrefix + name),
];

/** Permissions that the photo-sharing platform's dialog can grant. */
export const picsScopes: readonly string[] = [
  'business_basic',
  'business_content_publish',
  'business_manage_comments',
  'business_manage_insights',
  'business_manage_messages',
].map((name) => picsScopePrefix + name);
