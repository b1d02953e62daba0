import { stripeCurrencies } from '../../currencies.ts'
import { addressRangeEntry, domainEntry } from '../entries.ts'
import { choice, commas, decimal, flag, integer, json, lines, secret, text } from '../kinds.ts'
import { forRoot } from '../placement.ts'
import { maxGroupRatio, numberMap, textMap } from '../shapes.ts'

const name = { maxLength: 200 } as const
const address = { maxLength: 2048, url: true, trimTrailingSlash: true } as const
/** An address that is used exactly as entered: a trailing slash may matter to the other side. */
const endpoint = { maxLength: 2048, url: true } as const

const addresses = {
  ...forRoot('address', true, {
    ServerAddress: text(address),
    /** Returns the latest release in the form of code hosts, with `tag_name` and `body`. Empty: no request is made. */
    ReleaseCheckUrl: text(endpoint),
  }),
  ...forRoot('worker', true, { WorkerUrl: text(address), WorkerValidKey: secret() }),
  ...forRoot('outbound', true, {
    /** Private ranges that requests to user-given addresses may reach. */
    OutboundAllowedRanges: lines({ default: [], entry: addressRangeEntry }),
  }),
}

const payment = forRoot('payment', true, {
  PayAddress: text(address),
  EpayId: text(name),
  EpayKey: secret(),
  CustomCallbackAddress: text(address),
  /** Currency paid for one unit of balance. Never 0: a top-up must cost something. */
  Price: decimal({ default: 7.3, min: 0.01, max: 1_000_000, decimals: 2 }),
  /** Units. */
  MinTopUp: integer({ default: 1, min: 1, max: 1_000_000_000 }),
  TopupGroupRatio: json(numberMap({ max: maxGroupRatio }), { default: 1, vip: 1, svip: 1 }),
  StripeSecretKey: secret(),
  /** Secret of the endpoint that Stripe's events are sent to. */
  StripeWebhookSecret: secret(),
  StripeCurrency: choice(stripeCurrencies, { default: 'usd' }),
  /** Paid in that currency for one unit of balance. */
  StripePrice: decimal({ default: 1, min: 0.01, max: 1_000_000, decimals: 2 }),
})

const login = {
  ...forRoot('login', true, {
    PasswordLoginEnabled: flag({ default: true }),
    PasswordRegisterEnabled: flag({ default: true }),
    /** Every way to a new account, a first sign-in through a provider too. */
    RegisterEnabled: flag({ default: true }),
    EmailVerificationEnabled: flag({ default: false }),
    /** Lists of one's own API keys mask them; the audit log records each reveal. */
    TokenKeyMaskingEnabled: flag({ default: false }),
  }),
  ...forRoot('email-domain', true, {
    EmailDomainRestrictionEnabled: flag({ default: false }),
    EmailAliasRestrictionEnabled: flag({ default: false }),
    EmailDomainWhitelist: commas({
      entry: domainEntry,
      default: [
        'gmail.com',
        '163.com',
        '126.com',
        'qq.com',
        'outlook.com',
        'hotmail.com',
        'icloud.com',
        'yahoo.com',
        'foxmail.com',
      ],
    }),
  }),
  ...forRoot('turnstile', true, {
    TurnstileCheckEnabled: flag({ default: false }),
    /** Public: every browser needs it. */
    TurnstileSiteKey: text(name),
    TurnstileSecretKey: secret(),
  }),
}

const security = forRoot('security', true, {
  /** Hours from the log-in on. 720: thirty days. */
  SessionLifetimeHours: integer({ default: 720, min: 1, max: 8760 }),
  /** Hours without a call; 0 for no limit. The time when a session was last seen is exact to five minutes. */
  SessionIdleHours: integer({ default: 0, min: 0, max: 8760 }),
  /** Calls that need an administrator are refused to those without one. */
  AdminSecondFactorRequired: flag({ default: false }),
  /** Empty: administrators may come from anywhere. */
  AdminAllowedRanges: lines({ default: [], entry: addressRangeEntry }),
  /** Days in which `tollgate undelete` brings a deleted account back; then nothing personal of it is left. */
  DeletedAccountDays: integer({ default: 30, min: 0, max: 3650 }),
  /** `Strict-Transport-Security` of responses over https; 0 sends none. */
  HstsDays: integer({ default: 0, min: 0, max: 3650 }),
  /** Gets each security event as JSON. Empty: none is sent. */
  SecurityWebhookUrl: text(endpoint),
  SecurityWebhookSecret: secret(),
  /** Signs reports of leaked keys. Empty: none is taken by a secret. */
  SecretScanningSecret: secret(),
  /** Public keys of code hosts whose secret scanners report leaked keys, in PEM by identifier. Empty: none is taken by a key. */
  SecretScanningPublicKeys: json(textMap({ maxLength: 2000 }), {}),
})

const smtp = forRoot('smtp', true, {
  SMTPServer: text({ maxLength: 255 }),
  SMTPPort: integer({ default: 587, min: 1, max: 65_535 }),
  SMTPAccount: text({ maxLength: 320 }),
  SMTPFrom: text({ maxLength: 320 }),
  SMTPToken: secret(),
  SMTPSSLEnabled: flag({ default: false }),
})

const providers = {
  ...forRoot('oidc', true, {
    'oidc.enabled': flag({ default: false }),
    'oidc.client_id': text(name),
    'oidc.client_secret': secret(),
    'oidc.well_known': text(endpoint),
    'oidc.authorization_endpoint': text(endpoint),
    'oidc.token_endpoint': text(endpoint),
    'oidc.user_info_endpoint': text(endpoint),
    /** Addresses of which the provider does not say whether they are verified count as such. */
    'oidc.email_trust_enabled': flag({ default: false }),
  }),
  ...forRoot('github', true, {
    GitHubOAuthEnabled: flag({ default: false }),
    GitHubClientId: text(name),
    GitHubClientSecret: secret(),
  }),
  ...forRoot('linuxdo', true, {
    LinuxDOOAuthEnabled: flag({ default: false }),
    LinuxDOClientId: text(name),
    LinuxDOClientSecret: secret(),
  }),
  ...forRoot('wechat', true, {
    WeChatAuthEnabled: flag({ default: false }),
    WeChatServerAddress: text(address),
    WeChatServerToken: secret(),
    WeChatAccountQRCodeImageURL: text(endpoint),
  }),
  ...forRoot('telegram', true, {
    TelegramOAuthEnabled: flag({ default: false }),
    TelegramBotToken: secret(),
    TelegramBotName: text(name),
  }),
}

const permission = integer({ default: 0, min: 0, max: 100 })

/** Stored by older installations, without effect. */
const legacy = forRoot('legacy', 'unused', {
  FileUploadPermission: permission,
  FileDownloadPermission: permission,
  ImageUploadPermission: permission,
  ImageDownloadPermission: permission,
})

export const systemSettings = {
  ...addresses,
  ...payment,
  ...login,
  ...security,
  ...smtp,
  ...providers,
  ...legacy,
}
