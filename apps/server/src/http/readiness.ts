import type { NodeState } from '../fleet/node-state.ts'
import { describeProblem, type HealthProblem } from '../operations/doctor/health-problems.ts'

interface ReadinessDependencies {
  /** Rejects when the database does not answer. */
  readonly ping: () => Promise<void>
  /** Returns the problems that an operator has to attend to. */
  readonly problems: () => readonly HealthProblem[]
  readonly node: Pick<NodeState, 'admits' | 'hears' | 'isEnding'>
  /** Not trusted from a jump of this machine's clock until the database confirms it. */
  readonly clockWatch: { readonly isTrusted: boolean }
}

/** State of a process: that it can take and charge calls, and what keeps it from that. */
export interface Readiness {
  readonly ready: boolean
  readonly database: boolean
  readonly admitting: boolean
  readonly hearing: boolean
  readonly stopping: boolean
  readonly clock: boolean
  readonly problems: readonly HealthProblem[]
}

/** Reads whether this process can serve. One without its database, or with a damaged one, still serves, but is not ready. */
export function createReadiness({
  ping,
  problems,
  node,
  clockWatch,
}: ReadinessDependencies): () => Promise<Readiness> {
  return async () => {
    const found = problems()
    const isDamaged = found.some(({ code }) => code === 'database-damaged')
    const database = await ping().then(
      () => !isDamaged,
      () => false,
    )
    const clock = clockWatch.isTrusted
    return {
      ready: database && node.admits && !node.isEnding && clock,
      database,
      admitting: node.admits,
      hearing: node.hears,
      stopping: node.isEnding,
      clock,
      problems: found,
    }
  }
}

/** Reports to a load balancer whether it should send calls here. */
export function readinessResponse({ problems, ...readiness }: Readiness): Response {
  const body = { ...readiness, problems: problems.map(describeProblem) }
  return Response.json(body, { status: readiness.ready ? 200 : 503 })
}

/**
 * Joins what the processes of one machine say. It takes calls while one of them does, since connections go to those alone; what an
 * operator has to see to is the sum.
 */
export function joinedReadiness(all: readonly Readiness[]): Readiness {
  const someIs = (of: keyof Omit<Readiness, 'problems'>) => all.some((one) => one[of])
  return {
    ready: someIs('ready'),
    database: someIs('database'),
    admitting: someIs('admitting'),
    hearing: someIs('hearing'),
    stopping: all.every(({ stopping }) => stopping),
    clock: someIs('clock'),
    problems: joinedProblems(all.flatMap(({ problems }) => problems)),
  }
}

function joinedProblems(all: readonly HealthProblem[]): readonly HealthProblem[] {
  const byCode = new Map<HealthProblem['code'], HealthProblem>()
  for (const problem of all) {
    const known = byCode.get(problem.code)
    byCode.set(problem.code, { ...problem, waiting: problem.waiting + (known?.waiting ?? 0) })
  }
  return [...byCode.values()]
}
