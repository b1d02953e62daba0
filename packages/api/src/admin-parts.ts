import type { Role } from './roles.ts'

/** A part of what administrators may do. */
interface PartFacts {
  /** Set for a part that a new administrator has (accounts §6). Root alone has the others until it gives them. */
  readonly byDefault: boolean
}

/** The parts that root gives to each administrator and takes from them. Root has all of them, other users none. */
export const adminParts = {
  /** Channels, their keys, tests and balances, and which way calls go. */
  channels: { byDefault: true },
  /** Prices and costs of models, groups. */
  prices: { byDefault: true },
  /** Accounts of lower rank: names, passwords, groups, limits, bans. */
  users: { byDefault: true },
  /** Balances, redemption codes, orders, spend and margin. */
  money: { byDefault: true },
  /** Calls, tasks and statistics of all users. */
  log: { byDefault: true },
  /** Options of the operation, rate limit, model and other tabs. */
  settings: { byDefault: true },
  /** Writes the options that move money: gifts, prices, group ratios, what a unit is worth. */
  'money-options': { byDefault: false },
  /** Deletes rows of the usage log, now or by their age. */
  'log-clearing': { byDefault: false },
} as const satisfies Record<string, PartFacts>

export type AdminPart = keyof typeof adminParts

/** Names of all parts in the order of the table. */
export const adminPartNames = Object.keys(adminParts) as [AdminPart, ...AdminPart[]]

/** The parts of a new administrator. */
export const defaultAdminParts: readonly AdminPart[] = adminPartNames.filter(
  (part) => adminParts[part].byDefault,
)

/** Somebody of a rank, with the parts that an administrator has; without them those of a new one. */
export interface PartHolder {
  readonly role: Role
  readonly parts?: readonly AdminPart[] | undefined
}

/**
 * The part that a call belongs to: one, any of several, or `any` for what every administrator needs. A handler of `any` chooses the
 * records that it returns by the caller's parts.
 */
export type CallPart = AdminPart | readonly [AdminPart, ...AdminPart[]] | 'any'

export function hasPart({ role, parts = defaultAdminParts }: PartHolder, part: AdminPart): boolean {
  return role === 'root' || (role === 'admin' && parts.includes(part))
}

/** Decides whether an administrator may use a call of this part. */
export function mayUsePart(holder: PartHolder, part: CallPart | undefined): boolean {
  if (part === undefined) return holder.role === 'root'
  if (part === 'any') return holder.role !== 'common'
  return partsOf(part).some((one) => hasPart(holder, one))
}

/** The parts that open a call, any of them; none for one of every administrator. */
export function partsOf(part: CallPart): readonly AdminPart[] {
  if (part === 'any') return []
  return typeof part === 'string' ? [part] : part
}
