import { z } from 'zod'
import { defineCall } from '../call.ts'

/** Public facts about this installation (spec accounts §3.5 and operations §3.11). */
export const publicStatus = z.object({
  version: z.string(),
  start_time: z.number().int(),
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  /** Whether `/api/notice` has anything to say. */
  has_notice: z.boolean(),
  docs_link: z.string(),
  server_address: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),
  default_collapse_sidebar: z.boolean(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_data_export: z.boolean(),
  /** Always: charges reach the database in groups. */
  enable_batch_update: z.boolean(),
  data_export_default_time: z.string(),
  mj_notify_enabled: z.boolean(),
  chats: z.array(z.record(z.string(), z.string())),
  /** Targets of chat links (`chatTargetOf`) that get keys without a question. */
  chat_trusted_hosts: z.array(z.string()),
  /** Single chat link of older installations; empty, `chats` took its place. */
  chat_link: z.string(),
  price: z.number(),
  min_topup: z.number(),
  top_up_link: z.string(),
  enable_online_topup: z.boolean(),
  email_verification: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  oidc_enabled: z.boolean(),
  oidc_client_id: z.string(),
  oidc_authorization_endpoint: z.string(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
  /** Whether the password form is offered. */
  password_login: z.boolean(),
  register_enabled: z.boolean(),
})
export type PublicStatus = z.output<typeof publicStatus>

export const status = {
  read: defineCall({ method: 'GET', path: '/api/status', access: 'public', data: publicStatus }),
  /** Database reachable? Answers HTTP 503 when not. */
  test: defineCall({ method: 'GET', path: '/api/status/test', access: 'admin', data: z.undefined() }),
  notice: defineCall({ method: 'GET', path: '/api/notice', access: 'public', data: z.string() }),
  about: defineCall({ method: 'GET', path: '/api/about', access: 'public', data: z.string() }),
  homePage: defineCall({ method: 'GET', path: '/api/home_page_content', access: 'public', data: z.string() }),
}
