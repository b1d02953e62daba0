import { ensureServer, serverProgram } from '../../scripts/lib/server.mjs'

/** The executable that `npm test` builds once for all suites; a suite that runs by itself takes the built server. */
const executable = process.env['TOLLGATE_TEST_PROGRAM']

/** The program that suites start. */
export const tollgateProgram = executable ?? serverProgram

/** Builds the program where nobody has built it for this run. */
export async function ensureProgram(): Promise<void> {
  if (executable === undefined) await ensureServer(() => undefined)
}

/** The command that runs a build of the program: an executable, or modules that the runtime of the tests loads. */
export function programCommand(args: readonly string[] = [], program = tollgateProgram): string[] {
  return isExecutable(program) ? [program, ...args] : [process.execPath, program, ...args]
}

/** Decides whether a build of the program carries the runtime, and so needs no other. */
export const isExecutable = (program: string): boolean => !program.endsWith('.js')

/** A process with this in its environment ends with the one that started it. */
export const endsWithParent = { BUN_FEATURE_FLAG_NO_ORPHANS: '1' } as const
