import { z } from 'zod'
import { queryText } from './wire.ts'

/** Consequences of a change that need consent before it is saved. Each code has a sentence among the refusals. */
export const consequenceCodes = [
  'price_far_from_former',
  'price_far_from_cost',
  'price_far_from_list',
  'price_far_from_all',
  'group_in_use',
  'passkeys_bound_to_host',
  'many_users_group',
  'many_users_limits',
  'many_users_balance',
  'many_users_left',
  'many_users_below_zero',
] as const
export type ConsequenceCode = (typeof consequenceCodes)[number]

/** One consequence of a change, with the figures that its sentence names. */
export interface Consequence {
  readonly code: ConsequenceCode
  readonly details: Readonly<Record<string, string | number>>
}

/**
 * Members beside the message of a refusal with the code `confirmation_required`. The same change with this `confirmation` is saved,
 * unless its consequences are others by then.
 */
export interface ConfirmationRequest {
  readonly confirmation: string
  readonly consequences: readonly Consequence[]
  /** Groups that would be removed while somebody is in them: a confirmation does not do, `moves` says where they go. */
  readonly groups: readonly string[]
}

/** Fields of a change that answer what was asked about it. */
export const consentFields = {
  /** Confirmation that the refusal had. */
  confirmation: z.string().max(64).optional(),
  /** New groups of the users, keys and channels of removed groups: the new group by the removed one. */
  moves: z.record(z.string(), z.string()).optional(),
}

/** The same for a change whose call has no body. */
export const consentQuery = z.object({ confirmation: queryText })

/** The answers to what was asked about a change. */
export interface Consent {
  readonly confirmation?: string | undefined
  readonly moves?: Readonly<Record<string, string>> | undefined
}
