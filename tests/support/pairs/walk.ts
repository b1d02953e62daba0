import type { Case, Kind } from './kind.ts'
import { make, type Outcome, type World } from './world.ts'

/** Outcomes of two calls, and the state that they left. */
interface Left {
  readonly outcomes: readonly Outcome[]
  readonly state: string
}

interface Pair<Subject> {
  readonly kind: Kind<Subject>
  readonly cases: readonly [Case<Subject>, Case<Subject>]
}

export function pairsOf<Subject>(kind: Kind<Subject>): Pair<Subject>[] {
  const { cases } = kind
  return cases.flatMap((one, index) =>
    cases
      .slice(index)
      .filter((other) => tablesOf(kind, one).some((table) => tablesOf(kind, other).includes(table)))
      .map((other): Pair<Subject> => ({ kind, cases: [one, other] })),
  )
}

function tablesOf<Subject>(kind: Kind<Subject>, { touches }: Case<Subject>): readonly string[] {
  return touches ?? [kind.rows]
}

export function nameOf<Subject>({ cases: [one, other] }: Pair<Subject>): string {
  return [one, other].map(({ call, act }) => `${call} (${act})`).join(' | ')
}

export function runsAlone<Subject>({ kind, cases }: Pair<Subject>): boolean {
  return kind.isGlobal === true || cases.some(({ isGlobal }) => isGlobal === true)
}

/** States that a pair may leave: each is computed when it is needed. */
export interface Orders {
  forth(): Promise<Left>
  back(): Promise<Left>
  /** Returns the state that one of the two leaves alone: a refusal that does nothing may be caused by the other. */
  alone(index: 0 | 1): Promise<Left>
}

/** Returns the states that the calls of a pair leave one after the other, with nothing beside them. */
export function ordersOf<Subject>(world: World, { kind, cases }: Pair<Subject>): Orders {
  const [one, other] = cases
  return {
    forth: once(() => oneByOne(world, kind, [one, other])),
    back: once(async () => {
      const { outcomes, state } = await oneByOne(world, kind, [other, one])
      return { outcomes: outcomes.toReversed(), state }
    }),
    alone: (index) => oneByOne(world, kind, [cases[index]]),
  }
}

function once<Result>(find: () => Promise<Result>): () => Promise<Result> {
  let found: Promise<Result> | undefined
  return () => {
    found ??= find()
    return found
  }
}

async function subjectOf<Subject>(
  world: World,
  kind: Kind<Subject>,
  cases: readonly Case<Subject>[],
): Promise<Subject> {
  if (cases.some(({ isGlobal }) => isGlobal === true)) await kind.clear?.(world)
  return await kind.create(world)
}

/** Takes a subject, makes calls at it one after the other, and reads what is left. */
async function oneByOne<Subject>(
  world: World,
  kind: Kind<Subject>,
  cases: readonly Case<Subject>[],
): Promise<Left> {
  const subject = await subjectOf(world, kind, cases)
  const [root] = world.roots
  const outcomes: Outcome[] = []
  for (const { call, sent } of cases)
    if (root !== undefined) outcomes.push(await make(root, call, sent(subject)))
  return { outcomes, state: await kind.read(world, subject) }
}

/** Makes both at once, at two nodes where there are several; returns what no order of the two explains. */
export async function atOnce<Subject>(
  world: World,
  pair: Pair<Subject>,
  orders: Orders,
  round: number,
): Promise<string | undefined> {
  const { kind, cases } = pair
  const subject = await subjectOf(world, kind, cases)
  const turned = round % 2 === 0 ? [0, 1] : [1, 0]
  const made = await Promise.all(
    turned.map(async (index) => {
      const { call, sent } = cases[index as 0 | 1]
      const at = world.roots[index % world.roots.length]
      return { index, outcome: at === undefined ? 'refused' : await make(at, call, sent(subject)) } as const
    }),
  )
  const outcomes = made.toSorted((a, b) => a.index - b.index).map(({ outcome }) => outcome)
  const left = { outcomes, state: await kind.read(world, subject) }
  return (await isExplained(left, orders)) ? undefined : await describeLeft(pair, left, orders)
}

async function isExplained(left: Left, { forth, back, alone }: Orders): Promise<boolean> {
  if (isSame(await forth(), left) || isSame(await back(), left)) return true
  const done = left.outcomes.findIndex((outcome) => outcome !== 'refused')
  if (done < 0 || left.outcomes.filter((outcome) => outcome === 'refused').length !== 1) return false
  const { outcomes, state } = await alone(done === 0 ? 0 : 1)
  return state === left.state && outcomes[0] === left.outcomes[done]
}

function isSame(one: Left, other: Left): boolean {
  return one.state === other.state && one.outcomes.join() === other.outcomes.join()
}

async function describeLeft<Subject>(
  pair: Pair<Subject>,
  left: Left,
  { forth, back }: Orders,
): Promise<string> {
  const lines = [left, await forth(), await back()].map(
    ({ outcomes, state }) => `${outcomes.join(', ')}: ${state}`,
  )
  const [at, ...allowed] = lines
  return [nameOf(pair), `  at once      ${at}`, ...allowed.map((line) => `  one by one   ${line}`)].join('\n')
}
