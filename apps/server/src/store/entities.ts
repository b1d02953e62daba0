import type {
  AuditAction,
  AuditTargetKind,
  ChannelStatus,
  Currency,
  LogType,
  RateLimits,
  Role,
  TaskPlatform,
  TaskStatus,
  TopUpProvider,
  TopUpStatus,
  UserStatus,
} from '@tollgate/api'

/** Quota is an integer. 64 bits in the store, a safe integer here; never a float. */
export type Quota = number
/** Unix seconds. */
export type Seconds = number

export interface User extends RateLimits {
  readonly id: number
  readonly username: string
  readonly displayName: string
  /** argon2id (or imported bcrypt) hash; empty for people who only sign in elsewhere. */
  readonly passwordHash: string
  readonly role: Role
  readonly status: UserStatus
  readonly group: string
  readonly email: string
  readonly githubId: string
  readonly oidcId: string
  /** Who vouches for `oidcId`; an address of the provider for those from before issuers were kept. */
  readonly oidcIssuer: string
  readonly wechatId: string
  readonly telegramId: string
  readonly linuxDoId: string
  /** Hash of the system access token; empty when none was made. */
  readonly accessTokenHash: string
  readonly quota: Quota
  readonly usedQuota: Quota
  readonly requestCount: number
  readonly affCode: string
  readonly affCount: number
  readonly affQuota: Quota
  readonly affHistoryQuota: Quota
  readonly inviterId: number
  /** JSON text, empty when never saved. */
  readonly setting: string
  readonly createdAt: Seconds
  readonly deletedAt: Seconds | null
}

export type ReasonParams = Readonly<Record<string, string | number>>

/** State of one key of a channel, by its place in the key list. Only keys that are not plainly enabled are kept. */
export interface ChannelKeyState {
  readonly index: number
  /** `disabled`: by a person, who alone may enable it again. */
  readonly status: 'auto-disabled' | 'disabled'
  readonly reason: string
  readonly at: Seconds
  /** The reason as a code with parameters; absent where an older version wrote it. */
  readonly code?: string
  readonly params?: ReasonParams
}

export interface Channel {
  readonly id: number
  readonly type: number
  readonly name: string
  readonly status: ChannelStatus
  /** All keys, one per line, sealed as one text. */
  readonly keysSealed: string
  readonly keyCount: number
  readonly keyStates: readonly ChannelKeyState[]
  readonly openaiOrganization: string
  readonly maxInputTokens: number
  readonly baseUrl: string
  /** Set by a super admin: may point to private addresses. Others pass the outbound guard. */
  readonly baseUrlTrusted: boolean
  readonly other: string
  readonly models: readonly string[]
  readonly groups: readonly string[]
  /** JSON texts, empty when not set; validated before they are stored. */
  readonly modelMapping: string
  readonly statusCodeMapping: string
  readonly paramOverride: string
  readonly setting: string
  readonly autoBan: boolean
  readonly testModel: string
  readonly priority: number
  readonly weight: number
  readonly tag: string
  readonly usedQuota: Quota
  readonly balance: number
  readonly balanceUpdatedAt: Seconds
  /** Milliseconds; 0 when never tested. */
  readonly responseTimeMs: number
  readonly testedAt: Seconds
  readonly createdAt: Seconds
  /** Why and when the status last changed by itself; `null` when it never did. */
  readonly statusReason: {
    readonly reason: string
    readonly at: Seconds
    /** The reason as a code with parameters; absent where an older version wrote it. */
    readonly code?: string
    readonly params?: ReasonParams
  } | null
}

/** What a list of channels is sorted and filtered by: a channel without its long texts. */
export type ChannelSummary = Pick<
  Channel,
  | 'id'
  | 'type'
  | 'name'
  | 'status'
  | 'keyCount'
  | 'keyStates'
  | 'groups'
  | 'priority'
  | 'weight'
  | 'tag'
  | 'usedQuota'
  | 'balance'
  | 'responseTimeMs'
>

/** When a channel's calls last succeeded and failed, and why. */
export interface ChannelOutcome {
  readonly channelId: number
  /** 0 for never. */
  readonly lastSuccessAt: Seconds
  readonly lastFailureAt: Seconds
  /** Empty when none failed. */
  readonly failureCode: string
  readonly failureParams: ReasonParams
}

export interface Session {
  /** SHA-256 of the cookie's value; the value itself is known to the browser alone. */
  readonly idHash: string
  readonly userId: number
  readonly createdAt: Seconds
  readonly expiresAt: Seconds
  /** What the browser calls itself; empty when it did not say. */
  readonly userAgent: string
  /** Where it was opened from. */
  readonly address: string
  /** Written every few minutes at most. */
  readonly lastSeenAt: Seconds
  /** When it was last proven whose session it is: by the log-in, or again since. */
  readonly provenAt: Seconds
}

/** A secret that is good once and for a while: a mailed code, a link's token, the state of a sign-in. */
export interface OneTimeSecret {
  /** What it is good for, such as `verify-email`. */
  readonly purpose: string
  /** For whom it was made, and with whose credentials it ends; 0 when that is nobody yet. */
  readonly userId: number
  /** Whom or what it is about; one secret of a purpose and subject exists at a time. */
  readonly subject: string
  /** Keyed hash; empty where knowing the subject is the proof. */
  readonly secretHash: string
  /** JSON text, for whoever made it. */
  readonly data: string
  /** How often it was tried. */
  readonly attempts: number
  readonly createdAt: Seconds
  readonly expiresAt: Seconds
}

/** One administrative act: who did what to which record, from where, and what changed. */
export interface AuditRecord {
  readonly id: number
  readonly createdAt: Seconds
  readonly actorId: number
  readonly actorName: string
  readonly actorRole: Role
  readonly address: string
  readonly action: AuditAction
  readonly targetKind: AuditTargetKind
  /** 0 where the target has no id: an option, a tag. */
  readonly targetId: number
  readonly targetName: string
  /** JSON texts of the fields that changed, without secrets; empty where there was or is nothing. */
  readonly before: string
  readonly after: string
}

/** A payment that was begun, and what it is for. */
export interface TopUpOrder {
  readonly id: number
  /** Our name for it at the provider. */
  readonly tradeNo: string
  readonly userId: number
  readonly provider: TopUpProvider
  /** As the user chose it. */
  readonly method: string
  /** Credited when it is paid. */
  readonly quota: Quota
  /** To be paid, in the smallest unit of `currency`. */
  readonly moneyMinor: number
  readonly currency: Currency
  readonly status: TopUpStatus
  readonly createdAt: Seconds
  /** When it was paid, expired or failed. */
  readonly completedAt: Seconds | null
  /** The provider's name for it; empty until it is known. */
  readonly providerTradeNo: string
}

export interface LogRow {
  readonly id: number
  readonly createdAt: Seconds
  readonly type: LogType
  readonly userId: number
  readonly username: string
  readonly tokenId: number
  readonly tokenName: string
  readonly model: string
  readonly quota: Quota
  readonly promptTokens: number
  readonly completionTokens: number
  readonly useTimeSeconds: number
  readonly isStream: boolean
  readonly channelId: number
  readonly group: string
  readonly content: string
  readonly requestId: string
  /** JSON text. */
  readonly other: string
}

/** The accounts of the ledger. `organisation`, `team` and `plan` join this list without touching the money code. */
export type AccountKind = 'user' | 'token' | 'channel'

/** Why an account was credited (or, with a negative amount, debited) other than by a charge. */
export type CreditCause =
  | 'initial'
  | 'admin-change'
  | 'owner-change'
  | 'redemption'
  | 'top-up'
  | 'transfer'
  | 'invitation'
  | 'refund'
  /** Taken for work that takes hours (a task), and given back at its end, when its charge is known. */
  | 'hold'
  | 'hold-release'

/** A charge taken in advance for work that outlives a process. It is ended once, by a charge or without one. */
export interface Hold {
  /** Chosen by whoever takes it. */
  readonly id: string
  /** Each was debited with the whole amount. */
  readonly accounts: readonly { readonly kind: Exclude<AccountKind, 'channel'>; readonly id: number }[]
  readonly amount: Quota
  readonly createdAt: Seconds
}

export interface LedgerEntry {
  readonly id: number
  readonly accountKind: AccountKind
  readonly accountId: number
  readonly cause: CreditCause
  readonly amount: Quota
  readonly createdAt: Seconds
  /** Who did it; 0 for the system. */
  readonly actorId: number
  readonly note: string
}

/** Work that an upstream takes on and finishes later: a drawing, a piece of music, a video. Times in milliseconds. */
export interface Task {
  readonly id: number
  readonly platform: TaskPlatform
  /** What was asked for, such as `IMAGINE` or `MUSIC`. */
  readonly action: string
  /** The id by which its user knows it: of drawings and music the upstream's; empty until it has one. */
  readonly upstreamId: string
  /** What the upstream calls it; empty until it has taken it. */
  readonly reference: string
  /** The upstream's name for the model. */
  readonly upstreamModel: string
  /** Keyed hash of the channel's key that it was submitted with: another account knows nothing of it. */
  readonly keyHash: string
  readonly userId: number
  /** 0 when no key paid for it. */
  readonly tokenId: number
  readonly channelId: number
  readonly group: string
  readonly model: string
  /** The hold that pays for it while it is open; empty when nothing is held. */
  readonly holdId: string
  /** What it costs; 0 once it has failed. */
  readonly quota: Quota
  /** JSON text: what its log row will say beside the cost. */
  readonly charge: string
  readonly status: TaskStatus
  /** Percent, from 0 to 100. */
  readonly progress: number
  readonly submittedMs: number
  /** 0 until then. */
  readonly startedMs: number
  /** 0 until then; finished tasks never change again. */
  readonly finishedMs: number
  readonly updatedMs: number
  readonly prompt: string
  readonly failReason: string
  /** JSON text: what the upstream answered last. */
  readonly result: string
  /** JSON text: what a platform keeps of its own, such as buttons or the translated prompt. */
  readonly properties: string
}
