import { type Access, type Call, calls, type Envelope, mayUsePart } from '@tollgate/api'

/** Visitors of a call: people by their role, then those with a proof of another kind, right or wrong. */
export const visitors = [
  'anonymous',
  'common',
  'admin',
  'root',
  'wrong-signature',
  'signature',
  'wrong-relay-key',
  'relay-key',
] as const
export type Visitor = (typeof visitors)[number]

/** Response: the status, and the envelope where there is one. */
interface Seen {
  readonly status: number
  readonly envelope: Partial<Envelope> & { readonly error?: unknown }
}

/** Access to a console, in process or over a socket. */
export interface Walk {
  send(method: string, path: string, sent: { headers: Record<string, string>; body?: unknown }): Promise<Seen>
  /** Headers of a fresh session or proof. Asked for anew for every call, because one call is logout. */
  headersOf(visitor: Visitor): Promise<Record<string, string>>
}

/** Outcome of one call. */
export type Outcome = 'not-mounted' | 'not-identified' | 'forbidden' | 'admitted'

/** Every call of the contract. */
export const allCalls: readonly Call[] = Object.values(calls).flatMap((group) => Object.values<Call>(group))

const people: readonly Visitor[] = ['common', 'admin', 'root']

/** Visitors that each word of the table lets in. */
const admitted = {
  public: visitors,
  user: people,
  admin: ['admin', 'root'],
  root: ['root'],
  signature: ['signature'],
  'relay-key': ['relay-key'],
} as const satisfies Record<Access, readonly Visitor[]>

/** Returns the outcome that the contract promises a visitor of a call. */
function expectedOutcome({ access, part }: Call, visitor: Visitor): Outcome {
  if (access === 'admin' && visitor === 'admin' && !mayUsePart({ role: 'admin' }, part)) return 'forbidden'
  if ((admitted[access] as readonly Visitor[]).includes(visitor)) return 'admitted'
  const isRequestedForRole = access === 'user' || access === 'admin' || access === 'root'
  return isRequestedForRole && people.includes(visitor) ? 'forbidden' : 'not-identified'
}

/** Makes one call as one visitor, with variables that no row has and a body that no form would send. */
async function outcomeOf(walk: Walk, call: Call, visitor: Visitor): Promise<Outcome> {
  const path = call.path.replace(/:\w+/g, '987654321')
  const headers = await walk.headersOf(visitor)
  // A signed call is sent as its visitors sign it: without a body.
  const body = call.body !== undefined && call.access !== 'signature' ? { body: {} } : {}
  const { status, envelope } = await walk.send(call.method, path, { headers, ...body })
  if (status === 404 && envelope.error !== undefined) return 'not-mounted'
  if (status === 401 || envelope.code === 'access_token_invalid') return 'not-identified'
  const isForbidden = envelope.code === 'permission_denied' || envelope.code === 'admin_part_missing'
  return status === 403 || isForbidden ? 'forbidden' : 'admitted'
}

/** Every call as every visitor: where a console does something else than the contract says. Empty when all is well. */
export async function accessFindings(walk: Walk, walked: readonly Call[] = allCalls): Promise<string[]> {
  const findings: string[] = []
  for (const call of walked) {
    for (const visitor of visitors) {
      const [expected, found] = [expectedOutcome(call, visitor), await outcomeOf(walk, call, visitor)]
      if (found !== expected)
        findings.push(`${call.method} ${call.path} as ${visitor}: ${found} instead of ${expected}`)
    }
  }
  return findings
}
