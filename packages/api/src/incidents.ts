import { type AdminPart, hasPart, type PartHolder } from './admin-parts.ts'
import type { ChannelReasonCode } from './channel-reasons.ts'

interface IncidentFacts {
  /** Parts of which any one shows the incident, and lets its reader accept it. */
  readonly parts: readonly [AdminPart, ...AdminPart[]]
  /** What the members are: ids of channels or users, or names of models. */
  readonly members: 'channel' | 'user' | 'model'
}

/**
 * Kinds of causes, one incident each, in the order of lists. Members are what the cause is about:
 * - `errors`: calls fail that no other open incident explains; no members
 * - `provider`: the channels at one address do not respond
 * - `account`: the channels at one address have no credit, or their account is closed
 * - `channel`: a single channel fails, by its key or its answers
 * - `unpriced`: models that callers ask for in vain
 * - `below-cost`: models that some group pays less for than they cost
 * - `balance`: users whose balance refuses their calls
 * - `untested`: channels that no call and no test has reached
 */
export const incidentKinds = {
  errors: { parts: ['log', 'channels'], members: 'model' },
  provider: { parts: ['channels'], members: 'channel' },
  account: { parts: ['channels'], members: 'channel' },
  channel: { parts: ['channels'], members: 'channel' },
  unpriced: { parts: ['prices', 'log'], members: 'model' },
  'below-cost': { parts: ['prices', 'money'], members: 'model' },
  balance: { parts: ['users', 'money', 'log'], members: 'user' },
  untested: { parts: ['channels'], members: 'channel' },
} as const satisfies Record<string, IncidentFacts>

export type IncidentKind = keyof typeof incidentKinds

export const incidentKindNames = Object.keys(incidentKinds) as [IncidentKind, ...IncidentKind[]]

/** The kinds that an administrator sees. */
export function visibleIncidentKinds(reader: PartHolder): readonly IncidentKind[] {
  return incidentKindNames.filter((kind) => incidentKinds[kind].parts.some((part) => hasPart(reader, part)))
}

type ChannelIncident = 'provider' | 'account' | 'channel'

/** Causes behind the reason of a failing channel; a reason without a row is of the channel alone. */
const causes: Partial<Readonly<Record<ChannelReasonCode, ChannelIncident>>> = {
  quota: 'account',
  balance_empty: 'account',
  suspended: 'account',
  account_limited: 'account',
  timeout: 'provider',
  overloaded: 'provider',
  upstream_bug: 'provider',
  not_sent: 'provider',
}

/** Returns the kind of incident behind a channel's reason; `cause` is the last failure where the reason is a count of failures. */
export function incidentOfReason(code: string, cause?: string): ChannelIncident {
  const known: Readonly<Record<string, ChannelIncident | undefined>> = causes
  return known[code] ?? known[cause ?? ''] ?? 'channel'
}
