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

const readingPages = ['pages_read_engagement', 'pages_show_list'];
const ofAccounts = (name: string): string => picsScopePrefix + name;

/** The permissions that a permission depends on. The dialog asks for them too; without them, it has no effect. */
const companions: Readonly<Record<string, readonly string[]>> = {
  pages_read_engagement: ['pages_show_list'],
  pages_read_user_content: ['pages_show_list'],
  pages_manage_metadata: ['pages_show_list'],
  pages_manage_ads: ['pages_show_list'],
  pages_manage_posts: readingPages,
  read_insights: readingPages,
  pages_manage_engagement: ['pages_read_user_content', 'pages_show_list'],
  pages_messaging: ['pages_manage_metadata', 'pages_show_list'],
  business_management: readingPages,
  ads_management: readingPages,
  leads_retrieval: ['ads_management', 'pages_manage_ads', ...readingPages],
  [ofAccounts('basic')]: ['pages_show_list'],
  [ofAccounts('manage_contents')]: [ofAccounts('basic'), 'pages_show_list'],
  [ofAccounts('manage_engagement')]: [ofAccounts('basic'), 'pages_read_user_content', 'pages_show_list'],
  ...Object.fromEntries(
    ['content_publish', 'manage_comments', 'manage_insights', 'manage_messages', 'shopping_tag_products'].map(
      (name) => [ofAccounts(name), [ofAccounts('basic'), ...readingPages]],
    ),
  ),
  ...Object.fromEntries(picsScopes.slice(1).map((scope) => [scope, picsScopes.slice(0, 1)])),
};

/** Permissions with those that they depend on, each once. */
export function withCompanions(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => [scope, ...(companions[scope] ?? [])]))];
}

/** Whether a permission is granted for single accounts or for single Pages; `undefined` if for neither. */
export function targetKind(scope: string): 'account' | 'page' | undefined {
  if (scope.startsWith(picsScopePrefix)) return 'account';
  return /^(?:pages_|read_insights$|leads_retrieval$)/.test(scope) ? 'page' : undefined;
}

/** Whether a permission lasts beyond the data access, which ends 90 days after the person last used the app. */
export function outlivesDataAccess(scope: string): boolean {
  return /^(?:ads_|pages_|business_management$|read_insights$|public_profile$|email$)/.test(scope);
}
