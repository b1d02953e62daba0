import { parseArgs } from 'node:util'

/** An option of a command, `--name` or `--name VALUE`. */
export interface CommandOption {
  /** Name of its value in the help; an option without one is a switch. */
  readonly value?: string
  readonly isRequired?: boolean
  readonly help: string
}

/** A command of the program: a row of the table of commands. */
export interface Command {
  readonly name: string
  /** Words that follow the name, as the help calls them; one that ends with `?` may be left out. */
  readonly operands?: readonly string[]
  readonly options?: Readonly<Record<string, CommandOption>>
  /** One line for the list of commands. */
  readonly summary: string
  /** Additional text of its own help. */
  readonly details?: string
  /** Set for a command that writes in the data folder, which must stay usable for the gateway. */
  readonly writesData?: boolean
  /** Runs it. Returns the exit code; without one the process lives until nothing is left to do. */
  run(words: CommandWords): Promise<number | undefined>
}

/** Words of a command, in the names of its row. */
export interface CommandWords {
  readonly operands: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly switches: ReadonlySet<string>
}

export type CommandLine =
  | { readonly kind: 'command'; readonly command: Command; readonly words: CommandWords }
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly text: string }
  /** `text` says what is wrong and how it goes. */
  | { readonly kind: 'wrong'; readonly text: string }

/** The name of the option of every command that names the environment of the service. */
export const environmentOption = 'env-file'

/** Options of every command. */
const commonOptions: Readonly<Record<string, CommandOption>> = {
  [environmentOption]: {
    value: 'FILE',
    help: 'settings of the service, over those of this shell: its environment file, or its systemd unit',
  },
}

/**
 * Reads the words after the program's name.
 * @param commands the first of them is the one that runs when none is named
 */
export function readCommandLine(commands: readonly Command[], args: readonly string[]): CommandLine {
  const named = commands.find(({ name }) => name === args[0])
  const command = named ?? commands[0]
  const first = args[0]
  if (command === undefined || (named === undefined && first !== undefined && !first.startsWith('-')))
    return { kind: 'wrong', text: `unknown command "${args.join(' ')}"\n${usageOf(commands)}` }
  const rest = named === undefined ? args : args.slice(1)
  if (rest.some((word) => word === '--help' || word === '-h'))
    return { kind: 'help', text: named === undefined ? usageOf(commands) : helpOf(named) }
  if (named === undefined && rest.some((word) => word === '--version' || word === '-v'))
    return { kind: 'version' }
  const words = readWords(command, rest)
  return typeof words === 'string'
    ? { kind: 'wrong', text: `${words}\n${helpOf(command)}` }
    : { kind: 'command', command, words }
}

/** The words, or what is wrong with them. */
function readWords({ name, operands = [], options: own = {} }: Command, args: readonly string[]) {
  const options = { ...own, ...commonOptions }
  const types = Object.entries(options).map(([option, { value }]) => [
    option,
    { type: value === undefined ? ('boolean' as const) : ('string' as const) },
  ])
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...args], options: Object.fromEntries(types), allowPositionals: true })
  } catch {
    return `${name} does not take "${args.join(' ')}"`
  }
  const { values, positionals } = parsed
  const min = operands.filter((operand) => !operand.endsWith('?')).length
  if (positionals.length > operands.length) return `${name} does not take "${args.join(' ')}"`
  if (positionals.length < min || positionals.includes(''))
    return `${name} needs ${operands[positionals.length]}`
  const texts = Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const empty = Object.keys(options).find(
    (option) => (options[option]?.isRequired && values[option] === undefined) || values[option] === '',
  )
  if (empty !== undefined) return `${name} needs --${empty} ${options[empty]?.value}`
  return {
    operands: positionals,
    values: Object.fromEntries(texts),
    switches: new Set(Object.keys(values).filter((option) => values[option] === true)),
  }
}

const widestForm = 24

function usageOf(commands: readonly Command[]): string {
  const rows = [
    ...commands.map((command) => row(formOf(command), command.summary)),
    ...Object.entries(commonOptions).map(([name, option]) => row(optionForm(name, option), option.help)),
    row('--version', 'print the version'),
    row('--help', 'print this; COMMAND --help tells more of one'),
  ]
  return `Usage: tollgate [command]

Commands
${rows.join('\n')}

Everything else is set in the environment: see README.`
}

function helpOf(command: Command): string {
  const { options = {}, summary, details } = command
  const rows = Object.entries(options).map(([name, option]) => row(optionForm(name, option), option.help))
  const parts = [`Usage: tollgate ${formOf(command)}`, summary, ...(details === undefined ? [] : [details])]
  return [...parts, ...(rows.length === 0 ? [] : [`Options\n${rows.join('\n')}`])].join('\n\n')
}

/** The command with its operands and required options. */
function formOf({ name, operands = [], options = {} }: Command): string {
  const visible = operands.map((operand) => (operand.endsWith('?') ? `[${operand.slice(0, -1)}]` : operand))
  const required = Object.entries(options).filter(([, { isRequired }]) => isRequired)
  return [name, ...visible, ...required.map(([option, definition]) => optionForm(option, definition))].join(
    ' ',
  )
}

function optionForm(name: string, { value }: CommandOption): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

function row(form: string, text: string): string {
  return form.length > widestForm
    ? `  ${form}\n  ${' '.repeat(widestForm)} ${text}`
    : `  ${form.padEnd(widestForm)} ${text}`
}
