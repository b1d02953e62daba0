import { chatTargetEntry } from '../entries.ts'
import { choice, decimal, flag, integer, json, lines, text } from '../kinds.ts'
import { forAdmins, forClearing, forMoney, forRoot, placed } from '../placement.ts'
import { chatLinks, rateLimits, requestLimits } from '../shapes.ts'

/** Above any real balance and far below the largest safe integer, so that sums of a few stay exact. */
const maxQuota = 10 ** 15
const minutesPerWeek = 10_080
const secondsPerDay = 86_400

const general = {
  ...forAdmins('general', 'operates', {
    'general_setting.docs_link': text({ maxLength: 2048, url: true }),
    /** Further channels tried before the caller sees a failure. */
    RetryTimes: integer({ default: 2, min: 0, max: 100 }),
    /** Calls of one session, by its cache key or session id, go to one channel and key. */
    SessionAffinityEnabled: flag({ default: true }),
    /** Sends calls with the same start to the same channel where they carry neither of the two. */
    ConversationAffinityEnabled: flag({ default: false }),
    DisplayInCurrencyEnabled: flag({ default: true }),
    DisplayTokenStatEnabled: flag({ default: true }),
    /** Shows measured speed and availability of the last day on the pricing page, to everybody. */
    ModelPerformanceEnabled: flag({ default: false }),
    /** Shows `/status` to everybody: models, their availability by day, and published incidents. */
    StatusPageEnabled: flag({ default: false }),
    DefaultCollapseSidebar: flag({ default: false }),
    DemoSiteEnabled: flag({ default: false }),
    /** Models without a price are charged at a high ratio instead of being refused. */
    SelfUseModeEnabled: flag({ default: false }),
    TaskEnabled: flag({ default: true }),
    /** Stored, without effect: a stream waits only for a possible start of a filtered word. */
    StreamCacheQueueLength: integer({ default: 0, min: 0, max: 1_000_000 }),
  }),
  ...forMoney('general', {
    /** Quota units of one unit of currency. */
    QuotaPerUnit: decimal({ default: 500_000, min: 1, max: 10 ** 9 }),
  }),
  // Users pay at the address of this link: shown among the operation settings, but a payment setting (accounts §3.3).
  ...placed(
    { group: 'general', read: 'admin', write: 'root', movesMoney: false, recentProof: true },
    { TopUpLink: text({ maxLength: 2048, url: true }) },
  ),
}

const quota = {
  // Administrators see whether money is theirs to move; root alone decides it.
  ...placed(
    { group: 'quota', read: 'admin', write: 'root', movesMoney: false, recentProof: true },
    { AdminMoneyOptionsEnabled: flag({ default: false }) },
  ),
  ...forMoney('quota', {
    QuotaForNewUser: integer({ default: 0, min: 0, max: maxQuota }),
    /** Tokens assumed for a call that states no maximum. */
    PreConsumedQuota: integer({ default: 500, min: 0, max: 10 ** 9 }),
    QuotaForInviter: integer({ default: 0, min: 0, max: maxQuota }),
    QuotaForInvitee: integer({ default: 0, min: 0, max: maxQuota }),
    /** The inviter's gift is held until the invited user has paid an order. */
    HoldInviterQuotaEnabled: flag({ default: false }),
  }),
}

const drawing = forAdmins('drawing', 'operates', {
  DrawingEnabled: flag({ default: true }),
  MjNotifyEnabled: flag({ default: false }),
  MjAccountFilterEnabled: flag({ default: false }),
  MjForwardUrlEnabled: flag({ default: true }),
  MjModeClearEnabled: flag({ default: false }),
  MjActionCheckSuccessEnabled: flag({ default: true }),
})

const sensitive = forAdmins('sensitive', 'operates', {
  CheckSensitiveEnabled: flag({ default: true }),
  CheckSensitiveOnPromptEnabled: flag({ default: true }),
  CheckSensitiveOnCompletionEnabled: flag({ default: false }),
  StopOnSensitiveEnabled: flag({ default: true }),
  SensitiveWords: lines({ default: [], maxEntries: 100_000, maxLength: 2_000_000 }),
})

const log = {
  ...forAdmins('log', 'operates', {
    LogConsumeEnabled: flag({ default: true }),
    /** Failed calls get a row too, whether or not successful ones do. */
    LogFailedCallsEnabled: flag({ default: true }),
  }),
  ...forClearing('log', {
    /** Days that rows of the usage log are kept; 0 means for ever. Statistics and balances do not need the rows. */
    LogRetentionDays: integer({ default: 0, min: 0, max: 3650 }),
  }),
  ...forAdmins('log', 'operates', {
    /** Requests of failed calls are kept, sealed, of users who want that: administrators replay them on another channel. */
    KeepFailedCallsEnabled: flag({ default: false }),
    KeepFailedCallsHours: integer({ default: 24, min: 1, max: 168 }),
  }),
}

const dashboard = forAdmins('dashboard', 'operates', {
  DataExportEnabled: flag({ default: true }),
  /** Minutes. */
  DataExportInterval: integer({ default: 5, min: 1, max: minutesPerWeek }),
  DataExportDefaultTime: choice(['hour', 'day', 'week'], { default: 'hour' }),
})

const monitoring = forAdmins('monitoring', 'operates', {
  /** Seconds that a channel may take in a test before it is disabled; 0 means no limit. */
  ChannelDisableThreshold: decimal({ default: 5, min: 0, max: secondsPerDay }),
  /** Balance below which users without a threshold of their own are warned. */
  QuotaRemindThreshold: integer({ default: 1000, min: 0, max: maxQuota }),
  AutomaticDisableChannelEnabled: flag({ default: false }),
  AutomaticEnableChannelEnabled: flag({ default: false }),
  /** An upstream's error that contains one, whatever the case of its letters, disables the channel. */
  AutomaticDisableKeywords: lines({
    default: [
      'Your credit balance is too low',
      'This organization has been disabled.',
      'You exceeded your current quota',
      'Permission denied',
      'The security token included in the request is invalid',
      'Operation not allowed',
      'Your account is not authorized',
    ],
  }),
})

const chat = {
  ...forAdmins('chat', 'consented', {
    /** The console inserts `{key}` and `{address}`. */
    Chats: json(chatLinks, [
      { NextChat: 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
      {
        LobeChat:
          'https://chat-preview.lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
      },
      {
        'AI as Workspace':
          'https://aiaw.app/set-provider?provider={"type":"openai","settings":{"apiKey":"{key}","baseURL":"{address}/v1","compatibility":"strict"}}',
      },
      { AMA: 'ama://set-api-key?server={address}&key={key}' },
      { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
    ]),
  }),
  // Links of administrators get a key only with its owner's consent; links to the targets here, which root lists, need
  // none.
  ...forRoot('chat', true, {
    ChatTrustedHosts: lines({ default: [], entry: chatTargetEntry, maxEntries: 100 }),
  }),
}

const ratelimit = forAdmins('ratelimit', 'operates', {
  ModelRequestRateLimitEnabled: flag({ default: false }),
  ModelRequestRateLimitDurationMinutes: integer({ default: 1, min: 0, max: minutesPerWeek }),
  /** All requests of a period, failed ones too; 0 means no limit. */
  ModelRequestRateLimitCount: integer({ default: 0, min: 0, max: 10 ** 9 }),
  ModelRequestRateLimitSuccessCount: integer({ default: 1000, min: 1, max: 10 ** 9 }),
  /** Group → [all requests, successful ones] of a period, instead of the two above. */
  ModelRequestRateLimitGroup: json(requestLimits, {}),
  /** The limit of all calls of a group, or of a model, together. */
  GroupRateLimits: json(rateLimits, {}),
  ModelRateLimits: json(rateLimits, {}),
})

const longText = { maxLength: 200_000, multiline: true } as const

/** The console's "other" tab: texts for everyone, Markdown, HTML or a link to be framed. */
const site = forAdmins('site', 'displays', {
  SystemName: text({ default: 'Tollgate', maxLength: 100 }),
  Logo: text({ maxLength: 65_536 }),
  Footer: text({ maxLength: 20_000, multiline: true }),
  Notice: text(longText),
  About: text(longText),
  HomePageContent: text(longText),
})

export const operationSettings = {
  ...general,
  ...quota,
  ...drawing,
  ...sensitive,
  ...log,
  ...dashboard,
  ...monitoring,
  ...chat,
  ...ratelimit,
  ...site,
}
