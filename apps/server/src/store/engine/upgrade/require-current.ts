import { StoreOpenError } from '../../errors.ts'
import { migrationNames } from '../../schema/migrate.ts'
import { lastProgramFor } from './landed.ts'
import { planUpgrade } from './plan.ts'
import { notCarriedOver, tooNew, tooOld } from './refusals.ts'
import type { SchemaState } from './schema-state.ts'

/**
 * Checks that this program can read the database as it is.
 * @throws SchemaTooNewError, or StoreOpenError when it is not Tollgate's or older than this program
 */
export function requireCurrentSchema(state: SchemaState | undefined): void {
  const { pending } = requireUsableSchema(state)
  if (state !== undefined && pending.length > 0) throw notCarriedOver(state, pending)
}

/**
 * Checks that this program can carry the database over, and returns what that takes.
 * @throws SchemaTooNewError, or StoreOpenError when it is not Tollgate's or too old
 */
export function requireUsableSchema(state: SchemaState | undefined): { readonly pending: readonly string[] } {
  if (state === undefined) throw new StoreOpenError('The database has no tables of Tollgate.')
  const last = lastProgramFor(state.applied)
  if (last !== undefined) throw tooOld(last)
  const { unknown, pending } = planUpgrade(state.applied, migrationNames)
  const [first] = unknown
  if (first !== undefined && !migrationNames.includes(state.oldestProgram)) throw tooNew(state, first)
  return { pending }
}
