import type { Sent, World } from './world.ts'

/** A call beside others on the same rows. */
export interface Case<Subject> {
  /** Its name in the contract. */
  readonly call: string
  /** Act of the case. */
  readonly act: string
  readonly sent: (subject: Subject) => Sent
  /** The tables whose rows it reads to decide, or writes; without them those that every case of the kind touches. */
  readonly touches?: readonly string[]
  /** Reaches rows of other subjects too: nothing else runs beside its pairs. */
  readonly isGlobal?: true
}

/** Rows that several calls write, and those calls. */
export interface Kind<Subject> {
  /** The table whose rows every case touches that does not say otherwise. */
  readonly rows: string
  readonly cases: readonly Case<Subject>[]
  /** Rows of its own for each pair, or the same rows as they were at first. */
  create(world: World): Promise<Subject>
  /** The rows as text, without ids and times. */
  read(world: World, subject: Subject): Promise<string>
  /** Leaves nothing of others in the way of what counts all rows. */
  clear?(world: World): Promise<void>
  /** All subjects are the same rows. */
  readonly isGlobal?: true
}

/** Lists a case of a call for each of its acts. */
export function casesOf<Subject>(
  call: string,
  acts: Readonly<Record<string, (subject: Subject) => Sent>>,
  more: Pick<Case<Subject>, 'isGlobal' | 'touches'> = {},
): Case<Subject>[] {
  return Object.entries(acts).map(([act, sent]) => ({ call, act, sent, ...more }))
}
