import { timingSafeEqual } from 'node:crypto'
import { dayOf, zoneOf } from '@tollgate/api/calendar'
import { unixSeconds } from '@tollgate/base'
import { mayRead } from '../../accounts/users/manage/ranks.ts'
import { writeWithin } from '../../accounts/users/owned-rows.ts'
import { isOpenAccount } from '../../accounts/users/stored-users.ts'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import type { Services } from '../../services.ts'
import type { LogRow } from '../../store/log/index/log-row.ts'
import type { ChargeLink } from '../../store/money/charge-links.ts'
import type { Breakdown } from '../../store/money/statement.ts'
import type { Store } from '../../store/store.ts'

/** Links of one user that open at the same time. */
const maxOpenLinks = 100
const daySeconds = 86_400
/** Number and signature. Anybody may present any text: no other reaches the database, where a number beyond its type is an error. */
const tokenForm = /^([1-9]\d{0,14})\.([0-9a-f]+)$/

/** Subject of a link: one call by its row, or the calls of a day by a reader's clock. */
export interface LinkOrder {
  readonly logId: number | undefined
  readonly at: number | undefined
  /** Name of a day, `2026-11-29`. */
  readonly day: string | undefined
  readonly timeZone: string | undefined
  readonly utcOffset: number
  readonly days: number
}

/** The content of a link: what the owner sees of it. */
export type LinkedCharges = { readonly link: ChargeLink } & (
  | { readonly row: LogRow; readonly corrected: number | undefined; readonly credited: number | undefined }
  | { readonly breakdown: Breakdown }
)

interface Dependencies extends Pick<Services, 'auditLog' | 'clock'> {
  readonly store: Pick<
    Store,
    'usage' | 'users' | 'corrections' | 'goodwill' | 'chargeLinks' | 'statements' | 'transaction'
  >
  readonly ledger: Pick<Ledger, 'flush'>
  readonly vault: Pick<Vault, 'hash'>
}

/** Signed links to charges: made by their owner or an administrator, opened by whoever has one, until they end or are revoked. */
export function createChargeLinks(deps: Dependencies) {
  const { store, ledger, auditLog, vault, clock } = deps
  const tokenOf = (link: ChargeLink) => `${link.id}.${signature(vault, link)}`

  async function create(order: LinkOrder, by: number, ownerId?: number, actor?: Actor): Promise<ChargeLink> {
    const { userId, ...subject } = await subjectOf(deps, order, ownerId)
    if (actor !== undefined) await requireReadable(store, actor, userId)
    const createdAt = unixSeconds(clock)
    const expiresAt = createdAt + order.days * daySeconds
    const limit = { kind: 'chargeLink', max: maxOpenLinks, now: createdAt } as const
    return await writeWithin(store, userId, limit, async (tx) => {
      const facts = { userId, createdAt, createdBy: by, expiresAt, revokedAt: 0 }
      const link = await tx.chargeLinks.create({ ...facts, ...subject })
      if (actor !== undefined) await auditLog.record(actor, linkEvent('log.share', link), tx)
      return link
    })
  }

  return {
    tokenOf,
    createOwn: (userId: number, order: LinkOrder) => create(order, userId, userId),
    create: (actor: Actor, userId: number | undefined, order: LinkOrder) =>
      create(order, actor.userId, userId, actor),
    listOwn: (userId: number) => store.chargeLinks.listOpen(userId, unixSeconds(clock)),
    async list(actor: Actor, userId: number): Promise<ChargeLink[]> {
      await requireReadable(store, actor, userId)
      return await store.chargeLinks.listOpen(userId, unixSeconds(clock))
    },
    async revokeOwn(userId: number, id: number): Promise<void> {
      if (!(await store.chargeLinks.revoke(id, userId, unixSeconds(clock))))
        throw new Refusal('record_not_found')
    },
    async revoke(actor: Actor, id: number): Promise<void> {
      const link = await store.chargeLinks.find(id)
      if (link === undefined) throw new Refusal('record_not_found')
      await requireReadable(store, actor, link.userId)
      await store.transaction(async (tx) => {
        if (!(await tx.chargeLinks.revoke(id, link.userId, unixSeconds(clock))))
          throw new Refusal('record_not_found')
        await auditLog.record(actor, linkEvent('log.unshare', link), tx)
      })
    },
    /** The content of a link, for whoever has it. Every reason for which it does not open is the same refusal. */
    async open(token: string): Promise<LinkedCharges> {
      const [, id, mac = ''] = tokenForm.exec(token) ?? []
      const link = id === undefined ? undefined : await store.chargeLinks.find(Number(id))
      if (link === undefined || !isEqual(mac, signature(vault, link))) throw new Refusal('charge_link_ended')
      const isOver = link.revokedAt !== 0 || link.expiresAt <= unixSeconds(clock)
      if (isOver || !isOpenAccount(await store.users.find(link.userId)))
        throw new Refusal('charge_link_ended')
      await ledger.flush()
      return link.logId === 0
        ? { link, breakdown: await store.statements.charges(link.userId, timesOf(link)) }
        : await chargeOf(deps, link)
    },
  }
}

export type ChargeLinks = ReturnType<typeof createChargeLinks>

function timesOf({ startsAt, endsAt }: ChargeLink) {
  return { from: startsAt, end: endsAt }
}

/** Keyed, so that nobody who knows ids makes a link; by all that it shows and its end, so that none is changed into another. */
function signature(vault: Pick<Vault, 'hash'>, link: ChargeLink): string {
  const { id, userId, logId, startsAt, endsAt, expiresAt } = link
  return vault.hash(`charge link ${[id, userId, logId, startsAt, endsAt, expiresAt].join(' ')}`)
}

function isEqual(presented: string, right: string): boolean {
  const [one, other] = [Buffer.from(presented), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** @param ownerId the only user whose charge it may be; an administrator names the user of a day */
async function subjectOf({ store }: Dependencies, order: LinkOrder, ownerId: number | undefined) {
  const { logId, at, day, timeZone = '', utcOffset } = order
  if (logId !== undefined) {
    const row = await store.usage.find(logId, { at, userId: ownerId })
    if (row === undefined || row.type !== 'consumption') throw new Refusal('record_not_found')
    return { userId: row.userId, logId, startsAt: row.createdAt, endsAt: row.createdAt, timeZone: '' }
  }
  const times = dayOf(day ?? '', zoneOf({ time_zone: timeZone, utc_offset: utcOffset }))
  if (times === undefined || ownerId === undefined) throw new Refusal('charge_link_subject')
  return { userId: ownerId, logId: 0, startsAt: times.from, endsAt: times.end, timeZone }
}

async function requireReadable(store: Pick<Store, 'users'>, actor: Actor, userId: number): Promise<void> {
  const user = await store.users.find(userId)
  if (user === undefined || !mayRead(actor, user)) throw new Refusal('record_not_found')
}

async function chargeOf({ store }: Dependencies, link: ChargeLink): Promise<LinkedCharges> {
  const { logId, startsAt, userId } = link
  const row = await store.usage.find(logId, { at: startsAt, userId })
  if (row === undefined) throw new Refusal('charge_link_ended')
  const corrected = (await store.corrections.listChanges([logId])).get(logId)
  return { link, row, corrected, credited: (await store.goodwill.listAmounts([logId])).get(logId) }
}

function linkEvent(action: 'log.share' | 'log.unshare', { id, userId, logId, expiresAt }: ChargeLink) {
  return {
    action,
    target: { kind: 'log', id: logId, name: `link ${id}` },
    after: { user_id: userId, expires_at: expiresAt },
  } as const
}
