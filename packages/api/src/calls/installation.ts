import { z } from 'zod'
import { emptyData, queryChoice } from '../wire.ts'
import { get, post } from './define.ts'

export const passwordMinLength = 8
export const passwordMaxLength = 128
export const usernameMaxLength = 32

export const setupStatus = z.object({
  /** True once the first administrator exists and setup is done. */
  status: z.boolean(),
  root_init: z.boolean(),
  database_type: z.enum(['sqlite', 'postgres', '']),
  /** Demands the code that the server printed at its start: a visitor on another machine must enter it. */
  code_required: z.boolean(),
})
/** State of first-run setup, and its needs. */
export type SetupStatus = z.output<typeof setupStatus>

/** Rules beyond types (lengths, equality) are the use case's, which names each refusal. */
export const setupBody = z.object({
  username: z.string().default(''),
  password: z.string().default(''),
  confirmPassword: z.string().default(''),
  SelfUseModeEnabled: z.boolean().default(false),
  DemoSiteEnabled: z.boolean().default(false),
  /** The set-up code, where it is required. */
  code: z.string().max(64).default(''),
})
/** The first root user and the mode of the installation. */
export type SetupBody = z.output<typeof setupBody>

export const setup = {
  read: get('public', '/api/setup', { recentProof: 'reads', data: setupStatus }),
  run: post('public', '/api/setup', {
    recentProof: 'proves',
    critical: true,
    body: setupBody,
    data: emptyData,
  }),
}

/** Public facts about this installation (spec accounts §3.5 and operations §3.11). */
export const publicStatus = z.object({
  version: z.string(),
  start_time: z.number().int(),
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  /** Set while `/api/notice` has a text. */
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
  /** Set while `/status` is shown to everybody. */
  enable_status_page: z.boolean(),
  /** Always: charges reach the database in groups. */
  enable_batch_update: z.boolean(),
  data_export_default_time: z.string(),
  mj_notify_enabled: z.boolean(),
  chats: z.array(z.record(z.string(), z.string())),
  /** Targets of chat links (`chatTargetOf`) that get keys without a question. */
  chat_trusted_hosts: z.array(z.string()),
  /** Single chat link of older installations; empty, `chats` replaces it. */
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
  /** Set while the password form is offered. */
  password_login: z.boolean(),
  register_enabled: z.boolean(),
})
/** Facts of the installation that everybody may read. */
export type PublicStatus = z.output<typeof publicStatus>

export const status = {
  read: get('public', '/api/status', { recentProof: 'reads', data: publicStatus }),
  /** Checks that the database is reachable; HTTP 503 when it is not. */
  test: get('admin', '/api/status/test', { part: 'any', recentProof: 'reads', data: z.undefined() }),
  notice: get('public', '/api/notice', { recentProof: 'reads', data: z.string() }),
  about: get('public', '/api/about', { recentProof: 'reads', data: z.string() }),
  homePage: get('public', '/api/home_page_content', { recentProof: 'reads', data: z.string() }),
}

/** The latest release, in the words of code hosts. */
export const latestRelease = z.object({
  tag_name: z.string(),
  /** Release notes, Markdown. */
  body: z.string(),
  /** Set for a later version than the running one, by Semantic Versioning. */
  newer: z.boolean(),
})
/** The newest published version. */
export type LatestRelease = z.output<typeof latestRelease>

export const release = {
  /** The server reads it from the address of the option `ReleaseCheckUrl`, and caches it for an hour. */
  latest: get('admin', '/api/release', { part: 'settings', recentProof: 'operates', data: latestRelease }),
}

export const installation = {
  /**
   * Everything that the database holds in open formats, as a ZIP archive. The browser downloads it by itself, which sends the cookie
   * alone. With keys in clear where that is asked for.
   */
  export: get('root', '/api/installation/export', {
    sessionOnly: true,
    cookieOnly: true,
    recentProof: true,
    query: z.object({ with_keys: queryChoice(['true', 'false']) }),
    response: 'stream',
  }),
}

export const openApi = {
  /** The contract as an OpenAPI 3.1 document. */
  read: get('public', '/api/openapi.json', { recentProof: 'reads', response: 'text' }),
}

/**
 * Before a path of the relay: the console makes that call with a session instead of a key. Responses have the relay's own
 * shapes, so these are not envelope calls. Bodies may have an optional `group` beside their own fields.
 */
export const playgroundRoot = '/pg'
/** Chat in the dialect of OpenAI. */
/** Sends a kept call again, at another channel. */
export const replayPath = `${playgroundRoot}/replay`
export const playgroundPath = `${playgroundRoot}/chat/completions`
