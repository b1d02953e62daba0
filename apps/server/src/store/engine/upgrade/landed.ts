import type { ProgramIdentity } from '../../../lib/program.ts'
import landedList from './landed.json' with { type: 'json' }

/** A migration that is part of the history: databases have it, so neither its name nor its statements change any more. */
export interface LandedMigration {
  readonly name: string
  /** SHA-256 of its statements, by the kind of database. */
  readonly sqlite: string
  readonly postgres: string
  /** Version of the program with which it landed. */
  readonly version: string
  /** The first commit that has it. Absent until `npm run migrations -- --record` runs on a later one. */
  readonly commit?: string
  /** Names under which databases of some commits have it, with the first such commit. */
  readonly formerly?: readonly { readonly name: string; readonly commit: string }[]
  /** Reason for which it landed although its number is below that of one before it. */
  readonly below?: string
}

/** Migrations in the order in which they landed. */
const landed: readonly LandedMigration[] = landedList

/** Migrations from before the first schema, of which nothing was released. */
const firstEra = '0001-first'
/** The last commit whose program reads them. */
const lastOfFirstEra: ProgramIdentity = { version: '0.1.0', commit: '6978d31a75b2' }

const currentNames = new Map(
  landed.flatMap(({ name, formerly = [] }) => formerly.map((former) => [former.name, name] as const)),
)

/** The name that the migration has now, whichever the database has it under. */
export function currentName(name: string): string {
  return currentNames.get(name) ?? name
}

/** The program that reads a database which none of today carries over; `undefined` where one does. */
export function lastProgramFor(applied: readonly string[]): ProgramIdentity | undefined {
  return applied.includes(firstEra) ? lastOfFirstEra : undefined
}

/**
 * The program that brought a database up, as far as its migrations tell: the first that had the one that landed last. Of one with a
 * migration that is not known here they tell nothing.
 */
export function programOf(applied: readonly string[]): ProgramIdentity {
  const known = landed.flatMap(({ name, version, commit = '', formerly = [] }) =>
    [{ name, commit }, ...formerly].map((one) => ({ ...one, version })),
  )
  const isKnown = (migration: string) => known.some(({ name }) => name === migration)
  const last = applied.every(isKnown) ? known.findLast(({ name }) => applied.includes(name)) : undefined
  return { version: last?.version ?? '', commit: last?.commit ?? '' }
}
