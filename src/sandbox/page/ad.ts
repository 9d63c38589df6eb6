import { adEdges, adFields, adParams, adsetFields, campaignFields } from '../knownNames.ts';
import { onNode, type Route } from '../route.ts';
import { readNode, select, type Shape } from '../select.ts';
import type { AdNode } from './nodes.ts';
import { isoTime } from './values.ts';

type Part = Readonly<Record<string, unknown>>;

const adsetShape: Shape<Part> = { type: 'AdSet', fields: adsetFields, defaults: [], read: (part) => part };
const campaignShape: Shape<Part> = {
  type: 'Campaign',
  fields: campaignFields,
  defaults: [],
  read: (part) => part,
};

const adShape: Shape<AdNode> = {
  type: 'Ad',
  fields: adFields,
  defaults: [],
  edges: adEdges,
  read: (ad) => ({
    id: ad.id,
    name: ad.name,
    adset_id: ad.adset['id'],
    campaign_id: ad.campaign['id'],
    status: 'ACTIVE',
    effective_status: 'ACTIVE',
    created_time: isoTime(ad.createdAt),
  }),
  expand: {
    adset: (call, ad, { fields }) => select(call, adsetShape, ad.adset, fields),
    campaign: (call, ad, { fields }) => select(call, campaignShape, ad.campaign, fields),
  },
};

export const adRoutes: readonly Route[] = [
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'ad',
    tokens: ['user'],
    scopes: ['ads_read'],
    params: adParams,
    run: (call, ad) => readNode(call, adShape, ad),
  }),
];
