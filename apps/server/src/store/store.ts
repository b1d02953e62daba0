import type { RateLimits, Role } from '@tollgate/api'
import type { AuditFinding } from './audit/find-differences.ts'
import type { ChannelOutcomeRepository, ChannelRepository } from './channel-repository.ts'
import type { DatabaseKind } from './dialects/sql-dialect.ts'
import type {
  AccountKind,
  AuditRecord,
  Hold,
  LedgerEntry,
  OneTimeSecret,
  Quota,
  Seconds,
  Session,
  User,
} from './entities.ts'
import type { StatisticsRepository } from './figures-repository.ts'
import type { KnownIdentityRepository } from './known-identity-repository.ts'
import type { LeaseRepository } from './lease-repository.ts'
import type { PasskeyRepository } from './passkey-repository.ts'
import type { QuotaWarningRepository } from './quota-warning-repository.ts'
import type { RedemptionRepository } from './repositories/redemptions.ts'
import type { TokenRepository } from './repositories/tokens.ts'
import type { AttemptLimit, SecondFactorRepository } from './second-factor-repository.ts'
import type { FlushRequest, Settlement } from './settlement.ts'
import type { StoredResponseRepository } from './stored-response-repository.ts'
import type { TaskRepository } from './task-repository.ts'
import type { TopUpOrderRepository } from './top-up-order-repository.ts'
import type { UsageRepository } from './usage-repository.ts'
import type { UserFilter, UserPageRequest } from './user-listing.ts'

/**
 * What the product needs from a database. Repositories return domain objects, hide SQL and decide nothing.
 * Names: `find…` may return undefined, `findOwn…` carries the owner in the query, `list…` is ordered and bounded.
 */
export interface Store {
  readonly kind: DatabaseKind
  readonly users: UserRepository
  readonly tokens: TokenRepository
  readonly channels: ChannelRepository
  readonly channelOutcomes: ChannelOutcomeRepository
  readonly options: OptionRepository
  readonly sessions: SessionRepository
  readonly setups: SetupRepository
  readonly ledger: LedgerRepository
  readonly usage: UsageRepository
  readonly statistics: StatisticsRepository
  readonly tasks: TaskRepository
  readonly leases: LeaseRepository
  readonly storedResponses: StoredResponseRepository
  readonly audit: AuditRepository
  readonly auditLog: AuditLogRepository
  readonly oneTimeSecrets: OneTimeSecretRepository
  readonly redemptions: RedemptionRepository
  readonly topUpOrders: TopUpOrderRepository
  readonly knownIdentities: KnownIdentityRepository
  readonly quotaWarnings: QuotaWarningRepository
  readonly secondFactors: SecondFactorRepository
  readonly passkeys: PasskeyRepository
  /** Runs `work` in one transaction; it sees a store whose calls all belong to it. Rolls back when `work` throws. */
  transaction<T>(work: (tx: Store) => Promise<T>): Promise<T>
  /** Resolves when the database answers within 1.5 s; rejects otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Without limits unless they are named. */
export type NewUser = Omit<
  User,
  'id' | 'usedQuota' | 'requestCount' | 'quota' | 'deletedAt' | keyof RateLimits
> &
  Partial<RateLimits>

/** What belongs to one user, and tells who it is. An OIDC subject is not among them: it is one with its issuer. */
export type Identity = 'email' | 'githubId' | 'wechatId' | 'telegramId' | 'linuxDoId' | 'affCode'

/** What an inviter gets once the invitee has paid. */
export interface PendingShare {
  readonly inviterId: number
  readonly quota: Quota
}

export interface UserRepository {
  /** Quota starts at 0; money arrives by the ledger alone. Throws `DuplicateError` for a taken username. */
  create(user: NewUser): Promise<User>
  /** Deleted ones included. */
  find(id: number): Promise<User | undefined>
  /** The same for many, by id. */
  listByIds(ids: readonly number[]): Promise<ReadonlyMap<number, User>>
  /** By username, else by an e-mail address that one user alone has; not deleted. */
  findByLogin(login: string): Promise<User | undefined>
  /** Deleted ones included: what was theirs stays theirs. An address is found whatever its case; an empty value never. */
  findByIdentity(identity: Identity, value: string): Promise<User | undefined>
  /** The same by an OIDC subject; of several issuers the first counts by whom the subject is known. */
  findByOidcSubject(subject: string, issuers: readonly string[]): Promise<User | undefined>
  /** As `find`; until the transaction ends, nobody else changes or locks this user. */
  lock(id: number): Promise<User | undefined>
  /** Not deleted. */
  findByAccessTokenHash(hash: string): Promise<User | undefined>
  rootExists(): Promise<boolean>
  /** The super admin with the least id; not deleted. */
  findFirstRoot(): Promise<User | undefined>
  update(
    id: number,
    change: Partial<Omit<User, 'id' | 'quota' | 'usedQuota' | 'requestCount'>>,
  ): Promise<User | undefined>
  /** A page of the filtered users, deleted ones included unless filtered, with the exact total. Reads beside the writer. */
  page(filter: UserFilter, page: UserPageRequest): Promise<{ rows: User[]; total: number }>
  /** Writes the change to those of these users who are not deleted and rank below `rank`; answers the ids of those. */
  updateBelow(
    ids: readonly number[],
    rank: Role,
    change: Partial<Pick<User, 'role' | 'status' | 'deletedAt'>>,
  ): Promise<ReadonlySet<number>>
  /** Counts an invited user, and `quota` in both of the inviter's invitation figures. False when there is no such user. */
  addInvitation(inviterId: number, quota: Quota): Promise<boolean>
  /** The same without counting a user. */
  addInvitationQuota(inviterId: number, quota: Quota): Promise<boolean>
  /** Keeps an inviter's share until `takePendingInviterBonus`. */
  addPendingInviterBonus(inviteeId: number, share: PendingShare, at: Seconds): Promise<void>
  /** Removes the share that an invitee's inviter waits for, and gives it to the one who removed it. */
  takePendingInviterBonus(inviteeId: number): Promise<PendingShare | undefined>
  /** Lowers what invitations earned; false, and nothing has changed, when there is less than `quota`. */
  takeInvitationQuota(id: number, quota: Quota): Promise<boolean>
  /** The user's invite code: `code` when there was none. Throws `DuplicateError` when that is somebody else's. */
  ensureInviteCode(id: number, code: string): Promise<string | undefined>
  /** Ids of users with that exact name, deleted ones included. */
  idsByUsername(username: string): Promise<number[]>
}

/** An option as it is to be stored; `null` removes it. */
export interface OptionWrite {
  readonly key: string
  readonly value: string | null
}

export interface OptionRepository {
  listAll(): Promise<{ key: string; value: string }[]>
  /**
   * All of them or none, in one transaction.
   * @param cause runs in the same transaction; what it throws undoes everything
   */
  write(options: readonly OptionWrite[], cause?: (tx: Store) => Promise<void>): Promise<void>
}

export interface SessionRepository {
  create(session: Session): Promise<void>
  /** Not expired at `now`. */
  find(idHash: string, now: Seconds): Promise<Session | undefined>
  /** Not expired at `now`, last seen first. */
  listOwn(userId: number, now: Seconds, limit: number): Promise<Session[]>
  /** Notes that the session was seen. */
  touch(idHash: string, at: Seconds): Promise<void>
  /** Notes that it was proven whose session it is. */
  markProven(idHash: string, at: Seconds): Promise<void>
  delete(idHash: string): Promise<void>
  /** Ends the owner's session whose hash starts so; false when there is none. */
  deleteOwn(userId: number, idHashStart: string): Promise<boolean>
  /** Ends every session of a user but one, where one is named: password change, ban, deletion. Answers how many. */
  deleteOfUser(userId: number, exceptIdHash?: string): Promise<number>
  /** The same for many. */
  deleteOfUsers(userIds: readonly number[]): Promise<void>
  deleteExpired(now: Seconds): Promise<void>
}

/** Nobody's unless somebody is named. */
export type NewSecret = Omit<OneTimeSecret, 'attempts' | 'userId'> & Partial<Pick<OneTimeSecret, 'userId'>>

export interface OneTimeSecretRepository {
  /** Replaces the one of the same purpose and subject. */
  put(secret: NewSecret): Promise<void>
  /** False, and nothing has changed, when there is one of the same purpose and subject: for what may be seen once. */
  putNew(secret: NewSecret): Promise<boolean>
  /** Counts a try; `undefined` when there is none that is good at `now`, or it was tried `maxAttempts` times before. */
  attempt(
    purpose: string,
    subject: string,
    now: Seconds,
    maxAttempts: number,
  ): Promise<OneTimeSecret | undefined>
  /** Removes it and gives it to the one who removed it; `undefined` when it is gone, expired or not this secret. */
  take(purpose: string, subject: string, secretHash: string, now: Seconds): Promise<OneTimeSecret | undefined>
  /**
   * Counts a try at a secret that is not kept here, such as a password. False, and nothing counted, when the window that
   * the first of them opened has seen `maximum`.
   */
  countAttempt(purpose: string, subject: string, now: Seconds, limit: AttemptLimit): Promise<boolean>
  /** Takes back a try that was right. */
  refundAttempt(purpose: string, subject: string): Promise<void>
  /** Removes what was made for these users; counted tries stay. */
  deleteOfUsers(userIds: readonly number[]): Promise<void>
  deleteExpired(now: Seconds): Promise<void>
}

export interface AuditLogFilter {
  /** One record alone. */
  readonly id?: number
  readonly actorId?: number
  readonly action?: AuditRecord['action']
  readonly targetKind?: AuditRecord['targetKind']
  readonly targetId?: number
  /** Leaves acts on this kind of target out. */
  readonly exceptTargetKind?: AuditRecord['targetKind']
  /** Both inclusive. */
  readonly from?: Seconds
  readonly to?: Seconds
}

export interface AuditLogRepository {
  append(records: readonly Omit<AuditRecord, 'id'>[]): Promise<void>
  /** Newest first, with the filter's total. */
  page(
    filter: AuditLogFilter,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ rows: AuditRecord[]; total: number }>
}

export interface SetupRepository {
  isDone(): Promise<boolean>
  /** Records that setup is done; false when it already was (a race has one winner). */
  markDone(version: string, at: Seconds): Promise<boolean>
}

export interface LedgerRepository {
  /** Balance fields as stored: user → quota, token → remain quota, channel → minus its used quota. */
  balanceOf(kind: AccountKind, id: number): Promise<Quota | undefined>
  /** The same for many, by id. */
  balancesOf(kind: AccountKind, ids: readonly number[]): Promise<ReadonlyMap<number, Quota>>
  /**
   * Adds `amount` (may be negative) to the account and writes the entry, in one transaction, which survives a power cut
   * of the database's host once this returns. Returns the new stored balance; throws `AccountUnknownError` when there
   * is no such account.
   * @param cause runs first in the same transaction; what it throws undoes everything
   */
  credit(entry: Omit<LedgerEntry, 'id'>, cause?: (tx: Store) => Promise<void>): Promise<Quota>
  /** Newest first. */
  list(kind: AccountKind, id: number, limit: number): Promise<LedgerEntry[]>
  /**
   * Debits every account of a hold, each with an entry of cause `hold`, and keeps the hold, in one transaction. Throws
   * `DuplicateError` when there is one of that id, `AccountUnknownError` when an account is missing.
   */
  hold(hold: Hold): Promise<void>
  /** An open hold. */
  findHold(id: string): Promise<Hold | undefined>
  /**
   * Ends a hold: gives its amount back (entries of cause `hold-release`) and, with `call`, charges or logs that call as
   * a flush would, in one transaction. False, and nothing has changed, when there is no such hold any more.
   * @param because runs in the same transaction, when the hold is there; what it throws undoes everything
   */
  endHold(
    id: string,
    at: Seconds,
    call?: Omit<Settlement, 'seq'>,
    inTransaction?: (tx: Store) => Promise<void>,
  ): Promise<boolean>
  /** Journal position of a node: the last sequence number whose effects are in the database; 0 when none. */
  journalPosition(node: string): Promise<number>
  /**
   * One transaction: log rows, user/token/channel counters, hourly charges, rollups, journal position.
   * Refuses (throws `JournalPositionError`) when the stored position is not `request.after`: exactly once.
   */
  flush(request: FlushRequest): Promise<void>
  /** Random text made with the database, by which a journal knows it. A backup of the database has the same. */
  databaseId(): Promise<string>
}

export interface AuditRepository {
  /** Recomputes every balance and rollup from its parts, in SQL; returns what differs. */
  findings(): Promise<AuditFinding[]>
}

export class DuplicateError extends Error {
  override readonly name = 'DuplicateError'
}

/** Money for an account that is not in the database. */
export class AccountUnknownError extends Error {
  override readonly name = 'AccountUnknownError'
}

export class JournalPositionError extends Error {
  override readonly name = 'JournalPositionError'
}

/** The database was written by a newer program; running on would damage it. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError'
}
