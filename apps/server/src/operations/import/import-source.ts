import type {
  ChannelDraftBody,
  ChannelStatus,
  RedemptionStatus,
  Role,
  TokenSwitch,
  TopUpStatus,
  tokenResource,
} from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import type { PlainUserFields } from '../../store/accounts/users.ts'
import type { ChannelKeyState, StatusReason } from '../../store/channels/channels.ts'
import type { ImportedCalls } from '../../store/money/flush/imported-usage.ts'
import type { ImportedPayment, OrderFields, TopUpOrder } from '../../store/money/top-up-orders.ts'
import type { Quota, Seconds } from '../../store/units.ts'
import type { Task } from '../../store/work/tasks.ts'

/** A note on one row: the same reason of many rows is printed once, with some of the examples. */
export interface Note {
  readonly reason: string
  readonly example: string
}

/** A row of the source in the terms of this gateway, or why it cannot be. */
export type SourceRow<Value> =
  | {
      /** Its id there. */
      readonly id: string
      readonly value: Value
      /** Differences of the row here from the one there. */
      readonly changes: readonly Note[]
    }
  | { readonly id: string; readonly leftOut: Note }

export interface SourceOption {
  readonly key: string
  readonly value: string
  /** A map with some entries: those of the default stay beside them. */
  readonly isPartial?: true
}

/** The values of every option that is in force there, and the models that its channels serve. */
export interface SourcePrices {
  readonly values: SettingValues
  readonly models: ReadonlySet<string>
}

/** Units of quota in a dollar here, for a source whose amounts are dollars. */
export interface Unit {
  readonly quotaPerUnit: number
}

/** A key that is switched off there, with its place and its text. */
export interface SourceKeyState extends ChannelKeyState {
  readonly text: string
}

export interface SourceChannel {
  readonly type: number
  readonly name: string
  /** Keys as a form takes them: one a line, or service accounts. */
  readonly keys: string
  readonly status: ChannelStatus
  /** Keys that are switched off there. */
  readonly keyStates?: readonly SourceKeyState[]
  /** Reason and time at which that gateway switched it off. */
  readonly statusReason?: StatusReason
  /** Permits private addresses; so does an absent value, since whoever runs the command may use them anyway. */
  readonly isAddressTrusted?: boolean
  readonly usedQuota: Quota
  readonly createdAt: Seconds
  /** Fields of a channel's form, in its names; one that is not valid here is left out, and said. */
  readonly fields: Omit<ChannelDraftBody, 'id' | 'key' | 'type' | 'name'> & {
    readonly models: string
    readonly group: string
  }
}

export interface SourceUser {
  readonly username: string
  readonly displayName: string
  /** bcrypt or argon2id; empty when there is none that works here. */
  readonly passwordHash: string
  readonly role: Role
  readonly isBanned: boolean
  readonly group: string
  readonly email: string
  readonly githubId: string
  readonly oidcId: string
  /** Issuer that the source knows; without one the OpenID Connect account is bound anew. */
  readonly oidcIssuer?: string
  readonly wechatId: string
  readonly telegramId: string
  readonly linuxDoId: string
  readonly affCode: string
  readonly affCount: number
  readonly affQuota: Quota
  readonly affHistoryQuota: Quota
  /** Its id there; empty without one. */
  readonly inviter: string
  /** JSON text, or empty; its secret is apart. */
  readonly setting: string
  readonly webhookSecret: string
  /** 0 when it is not known. */
  readonly createdAt: Seconds
  /** Declared fields of an account that administrators write; absent ones have the defaults. */
  readonly fields: Partial<PlainUserFields>
  readonly quota: Quota
  readonly usedQuota: Quota
  readonly requestCount: number
  /** Parts of an administrator, as they are stored here. */
  readonly adminParts?: string
  readonly secondFactor?: SourceFactor
  /** Gift to its inviter once it has paid, with the inviter's id there. */
  readonly heldGift?: { readonly inviter: string; readonly quota: Quota; readonly createdAt: Seconds }
}

/** The secret of time-based codes, and the last step that was used. */
export interface SourceFactor {
  readonly secret: string
  readonly lastStep: number
  readonly createdAt: Seconds
}

/** Fields that owners write of a key, without what names it, bounds what it spends and says whom it serves. */
export type PlainTokenFields = Omit<
  ReturnType<typeof tokenResource.writableOf>,
  | 'name'
  | 'group'
  | 'remainQuota'
  | 'unlimitedQuota'
  | 'expiresAt'
  | 'modelLimitsEnabled'
  | 'modelLimits'
  | 'allowIps'
>

/** The key itself, or all that the source has of it. */
export type SourceKey = { readonly text: string } | { readonly digest: string; readonly tail: string }

export interface SourceToken {
  /** The owner's id there. */
  readonly owner: string
  readonly name: string
  readonly key: SourceKey
  readonly status: TokenSwitch
  readonly createdAt: Seconds
  readonly accessedAt: Seconds
  readonly expiresAt: Seconds | null
  readonly isUnlimited: boolean
  readonly remainQuota: Quota
  readonly usedQuota: Quota
  /** `null` when every model is allowed. */
  readonly models: readonly string[] | null
  /** The list that is stored while every model is allowed. */
  readonly unusedModels?: readonly string[]
  /** One a line; empty when every address is allowed. */
  readonly allowIps: string
  readonly group: string
  /** Declared fields that its owner writes beside those; absent ones have the defaults. */
  readonly fields: Partial<PlainTokenFields>
}

export interface SourceCode {
  readonly creator: string
  /** The administrator below root who answers for it; empty without one. */
  readonly admin?: string
  readonly key: string
  readonly name: string
  readonly status: RedemptionStatus
  readonly quota: Quota
  readonly createdAt: Seconds
  readonly redeemedAt: Seconds
  readonly redeemer: string
}

/** An order, with what is declared of it as far as the source has it. */
export interface SourceOrder extends Partial<Omit<OrderFields, 'status' | 'completedAt'>> {
  readonly owner: string
  readonly tradeNo: string
  readonly provider: 'epay' | 'stripe'
  readonly method: string
  readonly quota: Quota
  /** Amount in the smallest unit of the currency. */
  readonly moneyMinor: number
  readonly status: TopUpStatus
  readonly createdAt: Seconds
  readonly completedAt: Seconds
  /** Further facts of a payment at its provider and this gateway; refunds and disputes follow it. */
  readonly payment?: Omit<ImportedPayment, 'giftInviterId'> &
    Pick<TopUpOrder, 'currency'> & { readonly giftInviter: string }
}

/** Work that an upstream does or has done, with the ids of the source. */
export interface SourceTask
  extends Omit<Task, 'id' | 'userId' | 'tokenId' | 'channelId' | 'holdId' | 'keyHash'> {
  readonly owner: string
  /** Empty when no key paid for it. */
  readonly token: string
  readonly channel: string
  /** The key of the channel that submitted it; empty when it is not known any more. */
  readonly key: string
  /** Quota that is held for it, which the balances of the source have as if it were free. */
  readonly hold:
    | { readonly amount: Quota; readonly createdAt: Seconds; readonly isOfToken: boolean }
    | undefined
}

/** Logged calls in an hour, with the ids of the source. */
export interface SourceCalls extends Omit<ImportedCalls, 'userId' | 'channelId'> {
  /** Empty when it is not known. */
  readonly channel: string
}

/** A table that is not taken as rows, or not at all. */
export interface UnplacedTable {
  readonly table: string
  readonly rows: number
  readonly why: string
}

/** A gateway that this one takes over from, in the order in which its parts are taken. */
export interface ImportSource {
  /** Address without credentials. */
  readonly origin: string
  /** Units of quota in a dollar there; `undefined` where amounts are dollars. */
  readonly quotaPerUnit: number | undefined
  /** Set for ids that are unique everywhere, so that two sources of the kind cannot be mistaken for one another. */
  readonly hasGlobalIds: boolean
  /** Identity that distinguishes the source from every other one, where it has one. */
  readonly identity?: string
  /** Prices that it charges, also those that it has no option for; `undefined` where they are not known. */
  readonly prices?: SourcePrices
  /**
   * Hears of the database that the import goes into, before anything is taken.
   * @throws ImportError when it cannot be taken there
   */
  begin?(target: { readonly database: string; readonly isApplied: boolean }): Promise<void>
  options(unit: Unit): AsyncIterable<readonly SourceOption[]>
  channels(): AsyncIterable<readonly SourceRow<SourceChannel>[]>
  users(unit: Unit): AsyncIterable<readonly SourceRow<SourceUser>[]>
  tokens(unit: Unit): AsyncIterable<readonly SourceRow<SourceToken>[]>
  codes(): AsyncIterable<readonly SourceRow<SourceCode>[]>
  orders(): AsyncIterable<readonly SourceRow<SourceOrder>[]>
  tasks?(): AsyncIterable<readonly SourceRow<SourceTask>[]>
  /** The logged calls of a user. */
  callsOf(user: string, unit: Unit): Promise<readonly SourceCalls[]>
  /** Rows in the log that are calls, of all users. */
  countCalls(): Promise<number>
  unplaced(): Promise<readonly UnplacedTable[]>
  /** Lines about what was computed, at the end. */
  remarks(): readonly string[]
  close(): Promise<void>
}

/** The import cannot go on: one sentence for the terminal. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}
