import { channelSettingMembers } from './channel-fields.ts'

/** A member that consoles of the same contract, older or newer, send with an effect there. */
export interface ForeignMember {
  /** The member that has the effect here; `null` where none has it. */
  readonly to: string | null
  /** Values that say what holds here anyway. */
  readonly same?: readonly unknown[]
}

const without = { to: null } as const

/** Members of the JSON `settings`, which a newer console has beside `setting`. */
const newerSettings = [
  'openrouter_enterprise',
  'claude_beta_query',
  'upstream_model_update_check_enabled',
  'upstream_model_update_auto_sync_enabled',
] as const

/**
 * Members of the call that saves a user's settings. `gotify_priority` has no effect without the address, and forms send it always;
 * other kinds of notification are refused as `notify_type`.
 */
const newerUserSettings = [
  'bark_url',
  'gotify_url',
  'gotify_token',
  'record_ip_log',
  'upstream_model_update_notify_enabled',
] as const

function elsewhere(prefix: string): Readonly<Record<string, ForeignMember>> {
  return Object.fromEntries(
    channelSettingMembers.map((name) => [`${prefix}${name}`, { to: `setting.${name}` }]),
  )
}

/**
 * Members of other consoles, as paths: they are refused by name unless they are empty or say what holds here. A member that nobody
 * knows is only named.
 * Sources, read in November 2026: new-api `model/{channel,token,user,redemption}.go`, `dto/{channel,user}_settings.go` and the forms
 * `Edit{Channel,User,Redemption}Modal.jsx` and `users/lib/user-form.ts`; one-api `model/{channel,token}.go` and its forms
 * `EditChannel.js`, `EditUser.js`, `EditRedemption.js`.
 */
export const foreignMembers: Readonly<Record<string, Readonly<Record<string, ForeignMember>>>> = {
  channel: {
    ...elsewhere(''),
    ...elsewhere('settings.'),
    header_override: without,
    remark: without,
    config: without,
    // Replaces the keys of a channel or adds to them; here a sent key replaces.
    key_mode: { to: null, same: ['replace'] },
    // Either spreads calls over the keys of a channel, as is done here.
    multi_key_mode: { to: null, same: ['random', 'polling'] },
    batch_add_set_key_prefix_2_name: without,
    // Keys that are off there would be called here.
    'channel_info.multi_key_status_list': without,
    'channel_info.multi_key_mode': { to: null, same: ['random', 'polling'] },
    // A channel has as many keys as are sent.
    'channel_info.is_multi_key': { to: null, same: [true] },
    'setting.force_stream': without,
    ...Object.fromEntries(newerSettings.map((name) => [`settings.${name}`, without])),
    'settings.azure_responses_version': { to: 'other' },
    'settings.vertex_key_type': { to: null, same: ['json'] },
    // The form of a key says which it is.
    'settings.aws_key_type': { to: null, same: ['ak_sk', 'api_key'] },
  },
  token: { subnet: { to: 'allow_ips' }, models: { to: 'model_limits' }, cross_group_retry: without },
  user: {
    remark: without,
    ...Object.fromEntries(newerUserSettings.map((name) => [name, without])),
  },
  redemption: { expired_time: without },
}

/** Members of one path alone: other calls of its resource have such a member for something else. */
const membersOfPaths: Readonly<Record<string, Readonly<Record<string, ForeignMember>>>> = {
  // A new user is a common one: root promotes with a call of its own.
  '/api/user/': { discord_id: without, role: { to: null, same: [1] } },
  // Of the action add_quota.
  '/api/user/manage': { value: { to: 'quota_change of PUT /api/user/' } },
}

/** Finds the members of other consoles that a call of this path may get. */
export function foreignMembersOf(path: string): Readonly<Record<string, ForeignMember>> {
  return { ...foreignMembers[resourceOf(path)], ...membersOfPaths[path] }
}

/** Lists that forms send beside the comma list that counts, by its name. */
export const listsBesideTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  channel: { groups: 'group' },
}

/** The resource of a call's path: `channel` of `/api/channel/test`. */
export function resourceOf(path: string): string {
  return path.split('/')[2] ?? ''
}
