import { roles } from '@tollgate/api/roles'
import { type Program, query } from '../../program.ts'
import type { Quota, Seconds } from '../../units.ts'

/** A way in which an administrator, or an option that they changed, can have given quota. */
export type GiftCause =
  | 'admin-change'
  | 'top-up'
  | 'goodwill'
  | 'redemption'
  | 'initial'
  | 'invitation'
  | 'transfer'

/** Gifts of one kind to an account near an administrator. */
export interface NearGift {
  readonly userId: number
  readonly username: string
  /** Set for an account that the administrator opened and that is not of their chain. */
  readonly isOpened: boolean
  readonly cause: GiftCause
  /** The name of the administrator whose change or completed order it was; empty for the other causes. */
  readonly giver: string
  readonly times: number
  readonly quota: Quota
}

/** An option that an administrator changed. */
export interface ChangedOption {
  readonly name: string
  readonly times: number
  /** Time of the first change. */
  readonly since: Seconds
}

/** Gifts of an administrator, current or former, to accounts near them, and the options that they changed and that move money. */
export interface AdministratorGifts {
  readonly id: number
  readonly username: string
  readonly gifts: readonly NearGift[]
  readonly options: readonly ChangedOption[]
}

const wasAdministrator = `actor_role = ${roles.admin}`
const administrators = `select id from users where role = ${roles.admin} union select actor_id from audit_log where ${wasAdministrator}`

/** A change of a group that can change what its calls, or those of others, cost: not one of its limits alone. */
const repricesGroup = `(action in ('group.create', 'group.rename', 'group.remove')
  or (action = 'group.update' and (after like '%"ratio"%' or after like '%"is_open"%')))`
/** Causes of what an administrator gives by hand. */
const handCauses = `'admin-change', 'top-up', 'goodwill'`

/** More accounts are not listed of one administrator. */
const maxGifts = 100
const maxChainSteps = 10_000

/**
 * Lists what administrators gave to accounts near them: their own, those of their invitation chain, and those that they opened.
 * @param moneyOptions the names of the options that move money
 */
export function* readNearGifts(moneyOptions: readonly string[]): Program<AdministratorGifts[]> {
  const known = yield* query<{ id: number; username: string }>(
    `select id, username from users where id in (${administrators}) and role < ${roles.root} order by id`,
  )
  const listed: AdministratorGifts[] = []
  for (const administrator of known) {
    const options = yield* readOptions(administrator.id, moneyOptions)
    const gifts = yield* readGifts(administrator.id, Math.min(...options.map(({ since }) => since)))
    if (gifts.length + options.length > 0) listed.push({ ...administrator, gifts, options })
  }
  return listed
}

function* readOptions(id: number, names: readonly string[]): Program<readonly ChangedOption[]> {
  return yield* query<ChangedOption>(
    `select name, cast(count(*) as bigint) as times, min(created_at) as since
      from (select created_at, case when target_kind = 'group' then 'GroupRatio' else target_name end as name
        from audit_log where ${wasAdministrator} and actor_id = ? and (target_kind = 'option' or ${repricesGroup})) as changes
      where name in (${names.map(() => '?').join(', ')})
      group by name order by name`,
    [id, ...names],
  )
}

/** @param since when they first changed an option that moves money; `Infinity` when they never did */
function* readGifts(id: number, since: Seconds): Program<NearGift[]> {
  const rows = yield* query<Omit<NearGift, 'isOpened'> & { opened: number }>(
    `with recursive ${chainOf(id)}, near (id) as (
        select id from (select id from chain order by steps desc limit 1) as start
        union
        select users.id from near join users on users.inviter_id = near.id and users.inviter_id <> 0
          where users.role < ${roles.root}
      ), members (id, opened) as (
        select id, 0 from near
        union all
        select distinct target_id, 1 from audit_log
          where ${wasAdministrator} and actor_id = ${id} and action in ('user.create', 'invitation.accept') and target_id not in (select id from near)
      )
      select users.id as "userId", users.username as username, members.opened as opened, entries.cause as cause,
        coalesce(givers.username, '') as giver,
        cast(count(*) as bigint) as times, cast(sum(entries.amount) as bigint) as quota
      from members join users on users.id = members.id
        join ledger_entries as entries on entries.account_kind = 'user' and entries.account_id = members.id
        left join users as givers on givers.id = entries.actor_id and entries.cause in (${handCauses})
      where ${isGift(since)}
      group by users.id, users.username, members.opened, entries.cause, givers.username
      order by quota desc, users.id limit ${maxGifts}`,
  )
  return rows.map(({ opened, ...gift }) => ({ ...gift, isOpened: opened === 1 }))
}

function chainOf(id: number): string {
  return `chain (id, inviter_id, steps) as (
        select id, inviter_id, 0 from users where id = ${id}
        union all
        select users.id, users.inviter_id, steps + 1 from chain join users on users.id = chain.inviter_id
          where users.role < ${roles.root} and steps < ${maxChainSteps}
      )`
}

/**
 * Returns the condition of a gift: by an administrator's own hand, by a code that one had a hand in, or by a setting since the
 * administrator changed one.
 */
function isGift(since: Seconds): string {
  const byHand = `(entries.cause in (${handCauses}) and entries.actor_id in (${administrators}))`
  const byCode = `(entries.cause = 'redemption' and entries.note in (
        select cast(id as text) from redemptions where admin_id <> 0))`
  const byOption = `(entries.cause in ('initial', 'invitation', 'transfer') and entries.created_at >= ${since})`
  return `entries.amount > 0 and (${[byHand, byCode, ...(Number.isFinite(since) ? [byOption] : [])].join(' or ')})`
}
