import { usernameMaxLength } from '@tollgate/api'
import { partsOf, writtenParts } from '../../../accounts/users/admin-parts.ts'
import { type AccountFields, newAccount } from '../../../accounts/users/create-account.ts'
import { createKnownIdentities, identityClaimsOf } from '../../../accounts/users/known-identities.ts'
import { refuseBadUsername, refuseForeignAddress } from '../../../accounts/users/login/passwords.ts'
import { isPrivilegedLookalike } from '../../../accounts/users/privileged-names.ts'
import { parseUserSetting } from '../../../accounts/users/user-setting.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Identity } from '../../../store/accounts/users.ts'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import type { Store } from '../../../store/store.ts'
import { type ImportContext, unitOf } from '../import-context.ts'
import type { Note, SourceUser } from '../import-source.ts'
import { beyondBalances, number, TableReport } from '../report.ts'
import { type Taken, takeTable } from '../take-table.ts'
import { takeUsage, type UsageTotals } from './take-usage.ts'

/** Takes the users with their balances, counters and logged calls, each whole in one transaction. */
export async function takeUsers(context: ImportContext): Promise<readonly TableReport[]> {
  const { store, source, name, now } = context
  const report = new TableReport('users')
  const log = new TableReport('log')
  const there = { balance: 0, used: 0, calls: 0 }
  const totals: UsageTotals = { calls: 0, sums: 0, quota: 0, unlogged: 0 }
  const isRootStored = context.asRoot || !(await store.users.rootExists())
  await takeTable(context, report, {
    kind: 'user',
    rows: source.users(unitOf(context)),
    markOf: () => '',
    take: (tx, user, id) => takeUser(context, tx, user, id, isRootStored, totals),
    taken({ quota, usedQuota, requestCount }) {
      there.balance += quota
      there.used += usedQuota
      there.calls += requestCount
    },
  })
  const here = await store.imports.amountsOf(name, 'user', now)
  if (report.taken > 0) {
    report.reconcile('balance', there.balance, here.balance)
    report.reconcile('spent', there.used, here.used)
    report.reconcile('calls', there.calls, here.calls)
  }
  await reportLog(context, log, totals)
  return [report, log]
}

async function reportLog(
  { source }: ImportContext,
  log: TableReport,
  { calls, sums, quota, unlogged }: UsageTotals,
): Promise<void> {
  log.taken = calls
  const others = (await source.countCalls()) - calls
  if (others > 0) log.leftOut = others
  log.say(`as ${number(sums)} hourly sums by user, model and channel: ${number(quota)} of the quota spent`)
  if (others > 0) log.say(`left out ${number(others)}: of users who are left out or were taken before`)
  if (unlogged !== 0)
    log.say(
      `${number(unlogged)} of the quota spent has no row in the log there: it counts in the totals alone`,
    )
}

async function takeUser(
  context: ImportContext,
  tx: Store,
  user: SourceUser,
  sourceId: string,
  isRootStored: boolean,
  totals: UsageTotals,
): Promise<Taken> {
  const { vault, now, name, ids } = context
  const amount = user.quota + user.usedQuota
  if (!Number.isSafeInteger(amount)) return { leftOut: beyondBalances(user.username, amount) }
  const changes: Note[] = []
  const role = user.role === 'root' && !isRootStored ? 'admin' : user.role
  const username = await freeName(tx, { ...user, role }, sourceId, changes)
  const identities = await freeIdentities(tx, user, changes)
  const inviterId = await ids.of(tx, 'user', user.inviter)
  if (user.inviter !== '' && inviterId === undefined)
    changes.push({ reason: 'its inviter is left out', example: username })
  if (role !== user.role)
    changes.push({
      reason: 'there is a super admin here: an administrator (--as-root keeps the rank)',
      example: username,
    })
  const fields = fieldsOf(user, { username, role, inviterId: inviterId ?? 0 }, identities)
  const { id } = await tx.users.create(newAccount(fields, user.createdAt || now))
  await takeExtras(
    context,
    tx,
    { ...user, id, username, role, ...(role !== user.role && { adminParts: '' }) },
    changes,
  )
  await createKnownIdentities({ vault, clock: { now: () => now * 1000 } }).note(
    tx,
    identityClaimsOf(newAccount(fields, now)),
  )
  const entry = { accountKind: 'user', accountId: id, cause: 'import', actorId: 0, note: name } as const
  if (amount !== 0) await tx.ledger.credit({ ...entry, amount, createdAt: now })
  await takeUsage(context, tx, { id, sourceId, user }, totals)
  return { targetId: id, changes }
}

function fieldsOf(
  user: SourceUser,
  here: Pick<AccountFields, 'username' | 'role' | 'inviterId'>,
  identities: Partial<AccountFields>,
): AccountFields {
  return {
    ...identities,
    ...here,
    displayName: user.displayName,
    passwordHash: user.passwordHash,
    // A second factor is stored for an account that may be opened.
    status: user.isBanned && user.secondFactor === undefined ? 'banned' : 'enabled',
    group: user.group,
    affCount: user.affCount,
    affQuota: user.affQuota,
    affHistoryQuota: user.affHistoryQuota,
    setting: user.setting,
    ...user.fields,
  }
}

/** Takes the rows of an account in other tables, by its id and its name here. */
async function takeExtras(
  context: ImportContext,
  tx: Store,
  user: SourceUser & { readonly id: number },
  changes: Note[],
): Promise<void> {
  const { id, username: example, adminParts, webhookSecret } = user
  if (user.role === 'admin' && adminParts !== undefined) {
    const parts = partsOf({ adminParts }).filter((part) => context.asRoot || part !== 'money-options')
    await tx.users.update(id, { adminParts: adminParts === '' ? '' : writtenParts(parts) })
    if (parts.length < partsOf({ adminParts }).length)
      changes.push({ reason: 'whether they may write prices and gifts is decided here anew', example })
  }
  if (user.secondFactor !== undefined) await takeSecondFactor(context, tx, user)
  if (user.heldGift !== undefined)
    await takeHeldGift(context, tx, id, user.heldGift, () =>
      changes.push({ reason: 'the gift that waits for its first payment has nobody to go to', example }),
    )
  if (webhookSecret !== '') await tx.users.update(id, { setting: withWebhookSecret(context, user, id) })
}

async function takeHeldGift(
  { ids }: ImportContext,
  tx: Store,
  invitee: number,
  { inviter, quota, createdAt }: NonNullable<SourceUser['heldGift']>,
  lost: () => void,
): Promise<void> {
  const inviterId = await ids.of(tx, 'user', inviter)
  if (inviterId === undefined) lost()
  else await tx.users.addPendingInviterBonus(invitee, { inviterId, quota }, createdAt)
}

/** The same codes open the account; recovery codes are made anew. */
async function takeSecondFactor(
  { vault }: ImportContext,
  tx: Store,
  { id, passwordHash, isBanned, secondFactor }: SourceUser & { readonly id: number },
): Promise<void> {
  if (secondFactor === undefined) return
  const state = { id, passwordHash, status: 'enabled', credentialsVersion: 0 } as const
  const account = await tx.users.lockVerified(state)
  if (account === undefined) throw new Error('an account was created and is not as it was created')
  const { secret, lastStep, createdAt } = secondFactor
  const secretSealed = vault.seal(secret, sealContexts.secondFactor(id))
  await tx.secondFactors.create(account, { secretSealed, lastStep, createdAt }, [])
  if (isBanned) await tx.users.update(id, { status: 'banned' })
}

/** Sealed for the row, as its owner's would be. */
function withWebhookSecret(
  { vault }: ImportContext,
  { setting, webhookSecret }: SourceUser,
  id: number,
): string {
  const webhook_secret_sealed = vault.seal(webhookSecret, sealContexts.webhookSecret(id))
  return JSON.stringify({ ...parseUserSetting(setting), webhook_secret_sealed })
}

/** The name, or one like it that is free and allowed here. Nobody's account is taken over. */
async function freeName(tx: Store, user: SourceUser, sourceId: string, changes: Note[]): Promise<string> {
  const isAccepted = isAllowed(user)
  const wanted = isAccepted ? user.username : `user-${sourceId}`.slice(0, usernameMaxLength)
  let looksPrivileged = false
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`
    const name = wanted.slice(0, usernameMaxLength - end.length) + end
    if ((await tx.users.idsByUsername(name)).length > 0) continue
    if (await isPrivilegedLookalike(tx, { username: name, role: user.role })) {
      looksPrivileged = true
      continue
    }
    if (name !== user.username)
      changes.push({ reason: reasonFor(isAccepted, looksPrivileged), example: `${user.username} is ${name}` })
    return name
  }
}

function reasonFor(isAccepted: boolean, looksPrivileged: boolean): string {
  if (!isAccepted) return 'the name is not allowed here'
  return looksPrivileged ? 'the name looks like that of an administrator here' : 'the name is taken here'
}

function isAllowed({ username, email }: SourceUser): boolean {
  try {
    refuseBadUsername(username)
    refuseForeignAddress(username, email)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

const labels = {
  email: 'e-mail address',
  githubId: 'GitHub account',
  wechatId: 'WeChat account',
  telegramId: 'Telegram account',
  linuxDoId: 'LINUX DO account',
  affCode: 'invitation code',
} as const satisfies Record<Identity, string>

/** Returns the identities of the user elsewhere, without those that another account here has. */
async function freeIdentities(tx: Store, user: SourceUser, changes: Note[]): Promise<Partial<AccountFields>> {
  const taken: Partial<Record<Identity, string>> = {}
  for (const identity of Object.keys(labels) as Identity[]) {
    const value = user[identity]
    if (value === '') continue
    if ((await tx.users.findByIdentity(identity, value)) === undefined) taken[identity] = value
    else
      changes.push({
        reason: `another account here has the same ${labels[identity]}`,
        example: user.username,
      })
  }
  return { ...taken, ...(await freeOidcAccount(tx, user, changes)) }
}

async function freeOidcAccount(
  tx: Store,
  { oidcId, oidcIssuer, username }: SourceUser,
  changes: Note[],
): Promise<Partial<AccountFields>> {
  if (oidcId === '') return {}
  const isFree =
    oidcIssuer !== undefined && (await tx.users.findByOidcSubject(oidcId, [oidcIssuer])) === undefined
  if (isFree) return { oidcId, oidcIssuer }
  const reason =
    oidcIssuer === undefined
      ? 'the OpenID Connect account is bound anew, because its issuer is not stored there'
      : 'another account here has the same OpenID Connect account'
  changes.push({ reason, example: username })
  return {}
}
