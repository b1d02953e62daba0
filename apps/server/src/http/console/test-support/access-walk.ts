import { type Access, type Call, calls, type Envelope } from '@tollgate/api'

export const visitors = ['anonymous', 'common', 'admin', 'root'] as const
export type Visitor = (typeof visitors)[number]

/** How to reach a console, in process or over a socket. */
export interface Walk {
  send(
    method: string,
    path: string,
    sent: { headers: Record<string, string>; body?: unknown },
  ): Promise<{
    readonly status: number
    readonly envelope: Envelope & { readonly error?: unknown }
  }>
  /** Headers of a fresh session; none for `anonymous`. Asked for anew for every call, because one call is logout. */
  headersOf(visitor: Visitor): Promise<Record<string, string>>
}

/** What became of one call. */
export type Outcome = 'not-mounted' | 'not-logged-in' | 'forbidden' | 'admitted'

/** Every call of the contract. */
export const allCalls: readonly Call[] = Object.values(calls).flatMap((group) => Object.values<Call>(group))

const admittedFrom = { public: 0, user: 1, admin: 2, root: 3 } as const satisfies Record<Access, number>

/** What the contract promises a visitor of a call. */
function expectedOutcome(call: Call, visitor: Visitor): Outcome {
  if (visitors.indexOf(visitor) >= admittedFrom[call.access]) return 'admitted'
  return visitor === 'anonymous' ? 'not-logged-in' : 'forbidden'
}

/** Makes one call as one visitor, with variables that no row has and a body that no form would send. */
async function outcomeOf(walk: Walk, call: Call, visitor: Visitor): Promise<Outcome> {
  const path = call.path.replace(/:\w+/g, '987654321')
  const headers = await walk.headersOf(visitor)
  const { status, envelope } = await walk.send(call.method, path, { headers, ...(call.body && { body: {} }) })
  if (status === 404 && envelope.error !== undefined) return 'not-mounted'
  if (status === 401) return 'not-logged-in'
  return envelope.code === 'permission_denied' ? 'forbidden' : 'admitted'
}

/** Every call as every visitor: where a console does something else than the contract says. Empty when all is well. */
export async function accessFindings(walk: Walk): Promise<string[]> {
  const findings: string[] = []
  for (const call of allCalls) {
    for (const visitor of visitors) {
      const [expected, found] = [expectedOutcome(call, visitor), await outcomeOf(walk, call, visitor)]
      if (found !== expected)
        findings.push(`${call.method} ${call.path} as ${visitor}: ${found} instead of ${expected}`)
    }
  }
  return findings
}
