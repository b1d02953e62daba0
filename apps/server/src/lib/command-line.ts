import { parseArgs } from 'node:util'

export type Command =
  | { readonly kind: 'serve' }
  | { readonly kind: 'audit' }
  | { readonly kind: 'recover'; readonly journal: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'help' }
  | { readonly kind: 'unknown'; readonly text: string }

export const usage = `Usage: tollgate [command]

Commands
  serve      start the gateway and its console (default)
  audit      check that every balance adds up; the gateway may be running or stopped
  recover --journal DIR
             settle the journal of a node that is gone, from its disk
  --version  print the version
  --help     print this

Everything else is set in the environment: see README.`

/** Reads the words after the program's name. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
      journal: { type: 'string' },
    },
    allowPositionals: true,
    strict: false,
  })
  if (values['help'] === true) return { kind: 'help' }
  if (values['version'] === true) return { kind: 'version' }
  const [command = 'serve', ...rest] = positionals
  if (rest.length === 0 && (command === 'serve' || command === 'audit')) return { kind: command }
  const { journal } = values
  if (rest.length === 0 && command === 'recover' && typeof journal === 'string' && journal !== '')
    return { kind: 'recover', journal }
  return { kind: 'unknown', text: args.join(' ') }
}
