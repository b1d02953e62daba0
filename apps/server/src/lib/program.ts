import packageJson from '../../package.json' with { type: 'json' }
// A macro: the build runs it, and the program has its result.
import { buildCommit } from './build-commit.ts' with { type: 'macro' }

/** Program that wrote a database. */
export interface ProgramIdentity {
  readonly version: string
  /** Commit of its sources; empty where it is not known. */
  readonly commit: string
}

/** This program. */
export const thisProgram: ProgramIdentity = { version: packageJson.version, commit: buildCommit() }

/** The program in words: `Tollgate 0.1.0 (commit 8b4bd432)`. */
export function programName({ version, commit }: ProgramIdentity): string {
  const name = version === '' ? 'Tollgate' : `Tollgate ${version}`
  return commit === '' ? name : `${name} (commit ${commit})`
}
