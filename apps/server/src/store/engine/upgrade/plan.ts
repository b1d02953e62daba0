import { currentName } from './landed.ts'

/** Changes that a start has to make to a schema. */
export interface UpgradePlan {
  /** Migrations of this program that the database lacks, in the order of their names. */
  readonly pending: readonly string[]
  /** Migrations that the database has and this program does not know: a newer one brought it up. */
  readonly unknown: readonly string[]
  /** Migrations that the database has under a name that they had once, with the one of now. */
  readonly renamed: readonly { readonly former: string; readonly name: string }[]
}

/**
 * Compares a database with this program. The order in which migrations were applied does not matter.
 * @param applied names in the database
 * @param known names of this program
 */
export function planUpgrade(applied: readonly string[], known: readonly string[]): UpgradePlan {
  const names = new Set(applied.map(currentName))
  return {
    pending: known.filter((name) => !names.has(name)).toSorted(),
    unknown: [...names].filter((name) => !known.includes(name)).toSorted(),
    renamed: applied
      .map((former) => ({ former, name: currentName(former) }))
      .filter(({ former, name }) => former !== name && !applied.includes(name)),
  }
}
