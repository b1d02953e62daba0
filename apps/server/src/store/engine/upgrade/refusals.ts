import { type ProgramIdentity, programName } from '../../../lib/program.ts'
import { SchemaTooNewError, StoreOpenError } from '../../errors.ts'
import type { SchemaState } from './schema-state.ts'

/** @param unknown a migration that this program does not know */
export function tooNew({ program }: Pick<SchemaState, 'program'>, unknown: string): SchemaTooNewError {
  const needed = program.version === '' ? 'that version' : `${programName(program)} or a later version`
  return new SchemaTooNewError(
    `The database was written by another version of Tollgate (it has migration ${unknown}), and this program is too old for it: start ${needed}, or restore a backup made before it ran.`,
  )
}

/** @param last the last program that reads it */
export function tooOld(last: ProgramIdentity): StoreOpenError {
  return new StoreOpenError(
    `The database is from before the first schema (it has migration 0001-first), and no version carries it over: start ${programName(last)}, the last that reads it.`,
  )
}

/** Refuses an older database for a command that reads it without an upgrade. */
export function notCarriedOver(state: SchemaState, pending: readonly string[]): StoreOpenError {
  return new StoreOpenError(
    `The database was written by an older version, ${stateText(state)}, and lacks ${pending.join(', ')}: start this version once, which carries it over. "tollgate doctor" says what that does.`,
  )
}

/** The state in words: `Tollgate 0.1.0 (commit 8b4bd432), schema 0007-log-spans`. */
export function stateText({ program, applied }: SchemaState): string {
  return `${programName(program)}, schema ${applied.at(-1) ?? 'without migrations'}`
}
