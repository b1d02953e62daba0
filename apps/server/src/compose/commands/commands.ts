import type { Command } from '../../lib/command-line.ts'

/** The commands beside `serve` by name, in the order of the help: each is a row, in a file of its own that loads what it works with. */
const loaders: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['doctor', async () => (await import('./doctor.ts')).doctor],
  ['health', async () => (await import('./health.ts')).health],
  ['audit', async () => (await import('./audit.ts')).audit],
  ['backup', async () => (await import('./backup.ts')).backup],
  ['restore', async () => (await import('./restore.ts')).restore],
  ['move', async () => (await import('./move.ts')).move],
  ['repair', async () => (await import('./repair.ts')).repair],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['export', async () => (await import('./export.ts')).exportCommand],
  ['recover', async () => (await import('./recover.ts')).recover],
  ['shrink', async () => (await import('./shrink.ts')).shrink],
  ['reset-root', async () => (await import('./reset-root.ts')).resetRoot],
  ['unlock', async () => (await import('./unlock.ts')).unlock],
  ['undelete', async () => (await import('./undelete.ts')).undelete],
  ['erase', async () => (await import('./erase.ts')).erase],
  ['rotate-secret', async () => (await import('./rotate-secret.ts')).rotateSecret],
  ['reset-secret', async () => (await import('./reset-secret.ts')).resetSecret],
])

/**
 * Loads the commands that a command line may mean: the one that its first word names, none for a start of the gateway, and
 * otherwise all of them, for the help. A start would spend a tenth of its processor time on commands that it does not run.
 * @param serves name of the command that starts the gateway
 */
export async function loadCommands(args: readonly string[], serves: string): Promise<readonly Command[]> {
  const [name] = args
  const hasHelp = args.some((word) => word === '--help' || word === '-h')
  if (!hasHelp && (name === undefined || name === serves)) return []
  const named = name === undefined ? undefined : loaders.get(name)
  return named === undefined
    ? await Promise.all([...loaders.values()].map((load) => load()))
    : [await named()]
}
