/** The requested fields of a lead: those of the person and the ad, not those of the post. */
export const leadFields =
  'id,created_time,field_data,form_id,ad_id,ad_name,adset_id,adset_name,campaign_id,campaign_name,' +
  'is_organic,platform,partner_name,retailer_item_id,custom_disclaimer_responses';
