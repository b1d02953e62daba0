import type { PublicStatus } from '@tollgate/api'
import { fieldsOf } from '../format/json.ts'

type TypeName<Value> = Value extends string
  ? 'string'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'boolean'
      : 'list'

/** Types of the fields: the compiler compares them with the contract, whose schemas are no part of the first load. */
const typeOfField = {
  version: 'string',
  start_time: 'number',
  setup: 'boolean',
  system_name: 'string',
  logo: 'string',
  footer_html: 'string',
  has_notice: 'boolean',
  docs_link: 'string',
  server_address: 'string',
  quota_per_unit: 'number',
  display_in_currency: 'boolean',
  self_use_mode_enabled: 'boolean',
  demo_site_enabled: 'boolean',
  default_collapse_sidebar: 'boolean',
  enable_drawing: 'boolean',
  enable_task: 'boolean',
  enable_data_export: 'boolean',
  enable_status_page: 'boolean',
  enable_batch_update: 'boolean',
  data_export_default_time: 'string',
  mj_notify_enabled: 'boolean',
  chats: 'list',
  chat_trusted_hosts: 'list',
  chat_link: 'string',
  price: 'number',
  min_topup: 'number',
  top_up_link: 'string',
  enable_online_topup: 'boolean',
  email_verification: 'boolean',
  turnstile_check: 'boolean',
  turnstile_site_key: 'string',
  github_oauth: 'boolean',
  github_client_id: 'string',
  linuxdo_oauth: 'boolean',
  linuxdo_client_id: 'string',
  oidc_enabled: 'boolean',
  oidc_client_id: 'string',
  oidc_authorization_endpoint: 'string',
  wechat_login: 'boolean',
  wechat_qrcode: 'string',
  telegram_oauth: 'boolean',
  telegram_bot_name: 'string',
  password_login: 'boolean',
  register_enabled: 'boolean',
} satisfies { readonly [Name in keyof PublicStatus]: TypeName<PublicStatus[Name]> }

/**
 * Decides whether a stored value is a status as this console knows it: consoles of other versions, and other programs on the same host,
 * store theirs under the same name.
 */
export function looksLikeStatus(value: unknown): value is PublicStatus {
  const fields = fieldsOf(value)
  return Object.entries(typeOfField).every(([name, type]) =>
    type === 'list' ? Array.isArray(fields[name]) : typeof fields[name] === type,
  )
}
