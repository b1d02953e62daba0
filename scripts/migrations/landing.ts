import type { LandedMigration } from '../../apps/server/src/store/engine/upgrade/landed.ts'

/** A migration as the code has it, with the digests of its statements. */
export type PresentMigration = Pick<LandedMigration, 'name' | 'sqlite' | 'postgres' | 'version'>

type Digests = Pick<LandedMigration, 'sqlite' | 'postgres'>

/** The record of an earlier commit. */
export interface RecordedBefore {
  readonly commit: string
  readonly landed: readonly LandedMigration[]
}

/**
 * Finds what would make databases of one history differ: a landed migration that is edited, renamed or gone, one that is not
 * recorded, and one that is inserted below others without a reason. Returns a sentence for each.
 */
export function findFaults(
  present: readonly PresentMigration[],
  landed: readonly LandedMigration[],
  before: readonly RecordedBefore[],
): readonly string[] {
  return [
    ...landed.flatMap((entry) => faultOf(entry, present)),
    ...unrecorded(present, landed).map(
      ({ name }) => `${name} is not recorded: run npm run migrations -- --record`,
    ),
    ...landed.flatMap((entry, index) => orderFault(entry, landed.slice(0, index))),
    ...before.flatMap(({ commit, landed: earlier }) => earlier.flatMap(changedSince(commit, landed))),
  ]
}

function faultOf(entry: LandedMigration, present: readonly PresentMigration[]): readonly string[] {
  const found = present.find(({ name }) => name === entry.name)
  if (found === undefined) return [`${entry.name} has landed and is gone: databases have it under this name`]
  if (isSame(found, entry)) return []
  return [
    `${entry.name} has landed and is edited: databases have its former statements; add a migration instead`,
  ]
}

function orderFault(entry: LandedMigration, earlier: readonly LandedMigration[]): readonly string[] {
  const above = earlier.find(({ name }) => numberOf(name) >= numberOf(entry.name))
  if (above === undefined || entry.below !== undefined) return []
  return [
    `${entry.name} stands below ${above.name}, which landed before: give it a higher number, or say why with npm run migrations -- --record --below "…"`,
  ]
}

function changedSince(commit: string, landed: readonly LandedMigration[]) {
  return (earlier: LandedMigration): readonly string[] => {
    const now = landed.find(({ name, formerly = [] }) =>
      [name, ...formerly.map((former) => former.name)].includes(earlier.name),
    )
    if (now !== undefined && isSame(now, earlier)) return []
    return [`${earlier.name} was recorded otherwise by commit ${commit}: what has landed stays as it is`]
  }
}

/**
 * Records the migrations that are not, at the end.
 * @param below why one may stand below others
 */
export function record(
  present: readonly PresentMigration[],
  landed: readonly LandedMigration[],
  below: string | undefined,
): readonly LandedMigration[] {
  const list = [...landed]
  for (const migration of unrecorded(present, landed)) {
    const isBelow = list.some(({ name }) => numberOf(name) >= numberOf(migration.name))
    list.push({ ...migration, ...(isBelow && below !== undefined && { below }) })
  }
  return list
}

function unrecorded(present: readonly PresentMigration[], landed: readonly LandedMigration[]) {
  return present.filter(({ name }) => !landed.some((entry) => entry.name === name))
}

function isSame(one: Digests, other: Digests): boolean {
  return one.sqlite === other.sqlite && one.postgres === other.postgres
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10)
}
