/** Wire integers of the console contract and the names used for them everywhere inside. */

export const roles = { common: 1, admin: 10, root: 100 } as const
/** The rank of a user. */
export type Role = keyof typeof roles

export const userStatuses = { enabled: 1, banned: 2 } as const
export type UserStatus = keyof typeof userStatuses

export const tokenStatuses = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export type TokenStatus = keyof typeof tokenStatuses
/** Statuses that a person sets; the others follow from the key's expiry and quota. */
export type TokenSwitch = Exclude<TokenStatus, 'expired' | 'exhausted'>

/** Who froze a key: an administrator, or a scanner that found it in public. */
export const freezeCauses = ['', 'administrator', 'leak'] as const
export type FreezeCause = (typeof freezeCauses)[number]

export const channelStatuses = { enabled: 1, disabled: 2, 'auto-disabled': 3 } as const
export type ChannelStatus = keyof typeof channelStatuses

export const redemptionStatuses = { unused: 1, disabled: 2, used: 3 } as const
export type RedemptionStatus = keyof typeof redemptionStatuses

export const logTypes = { 'top-up': 1, consumption: 2, management: 3, system: 4, error: 5 } as const
export type LogType = keyof typeof logTypes

/** Turns a wire integer back into its name; `undefined` for an integer the table does not know. */
export function nameOf<Name extends string>(
  table: Readonly<Record<Name, number>>,
  wire: number,
): Name | undefined {
  for (const name in table) if (table[name] === wire) return name
  return undefined
}

/** Platforms of tasks: images, music, videos. The database stores the words. */
export const taskPlatforms = ['mj', 'suno', 'video'] as const
export type TaskPlatform = (typeof taskPlatforms)[number]

/** The words of the wire. Empty: it is being dispatched to the upstream. `MODAL`: it waits for input of its user. */
export const taskStatuses = [
  '',
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  'MODAL',
  'SUCCESS',
  'FAILURE',
  'UNKNOWN',
] as const
export type TaskStatus = (typeof taskStatuses)[number]
