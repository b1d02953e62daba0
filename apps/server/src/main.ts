import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadCommands } from './compose/commands/commands.ts'
import type { RunningGateway } from './compose/serve.ts'
import type { FaultOrigin } from './compose/shutdown.ts'
import { defaultDataDir, readConfig } from './config.ts'
import { type Command, type CommandWords, environmentOption, readCommandLine } from './lib/command-line.ts'
import { thisProgram } from './lib/program.ts'
import { keepingOwner, ownerHint } from './lib/service/data-owner.ts'
import { findUnit, readServiceEnvironment } from './lib/service/unit-environment.ts'
import { joinMachine, type Machine } from './workers/machine.ts'
import { bytesFile, takeSeat, workerFolder } from './workers/seat.ts'
import { BytesPage } from './workers/shared-bytes.ts'

const { version } = thisProgram
/** The single executable carries the folder inside, beside its modules. */
const consolePath = Bun.isStandaloneExecutable ? 'dist/' : '../../web/dist/'
const consoleDirectory = fileURLToPath(new URL(consolePath, import.meta.url))

/** Databases, backups and what they are made of are open to the account that runs Tollgate alone, from their first byte. */
const ownerOnly = 0o077

/** Errors that one line describes for the terminal; any other with a stack is a fault of ours and keeps it. */
const plainErrors = new Set([
  'BackupError',
  'ConfigError',
  'DataDirectoryError',
  'DataOwnerError',
  'EnvironmentFileError',
  'ImportError',
  'JournalUnusableError',
  'ListenError',
  'Refusal',
  'SchemaTooNewError',
  'StoreOpenError',
  'StoreFault',
])

/** Those that a file of somebody else in the data folder may be behind. */
const ofDataFolder = new Set(['DataDirectoryError', 'JournalUnusableError', 'StoreOpenError', 'StoreFault'])

function dataFolder(): string {
  return resolve(process.env['DATA_DIR'] || defaultDataDir)
}

function fail(error: unknown): never {
  const text =
    error instanceof Error && plainErrors.has(error.name)
      ? error.message + (ofDataFolder.has(error.name) ? ownerHint(dataFolder()) : '')
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error)
  process.stderr.write(`tollgate: ${text}\n`)
  process.exit(1)
}

/** A signal sent to a whole process group arrives twice; one that comes later is a person losing patience. */
const repeatedSignalMs = 1000
/** Time that a gateway may take to close after a fault, once its calls have ended. */
const closingLimitMs = 10_000

function stopOnSignal({ shutdown }: RunningGateway): void {
  let requestedAt: number | undefined
  const stop = () => {
    const now = performance.now()
    if (requestedAt !== undefined) {
      if (now - requestedAt > repeatedSignalMs) process.exit(1)
      return
    }
    requestedAt = now
    shutdown.stop().then(() => process.exit(), fail)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => {
    // The end of a terminal ends what was started from it. Elsewhere somebody takes this gateway for one of workers.
    if (process.stdin.isTTY || process.stdout.isTTY) stop()
    else
      process.stderr.write(
        'tollgate: SIGHUP replaces workers, and this gateway has none: restart it, or set WORKERS\n',
      )
  })
}

/** After an unhandled fault memory cannot be trusted: calls in flight may end, then the process exits. */
function endOnFault({ shutdown }: RunningGateway, limitMs: number): void {
  const endBy = (origin: FaultOrigin) => (error: unknown) => {
    process.exitCode = 1
    // Closing may be what is broken. What was delivered is in the journal by then.
    setTimeout(() => process.exit(), limitMs)
    shutdown.fault(error, origin).then(() => process.exit(), fail)
  }
  process.on('uncaughtException', endBy('uncaughtException'))
  process.on('unhandledRejection', endBy('unhandledRejection'))
}

/** Another process spends what is in the database: this one lets its calls end and goes. */
function endWhenLost({ lost, shutdown }: RunningGateway): void {
  lost.then(async (error) => {
    await shutdown.stop()
    fail(error)
  }, fail)
}

async function runGateway(): Promise<void> {
  const config = readConfig(process.env)
  const seat = takeSeat(process.env)
  if (seat === undefined && config.workers > 1) {
    const { supervise } = await import('./compose/supervise.ts')
    return await supervise(config, version)
  }
  // Other commands do without what a gateway is made of, which takes half of the time in which they start.
  const { serve } = await import('./compose/serve.ts')
  const machine = seat && joinMachine(seat, process, new BytesPage(bytesFile(config.dataDir), seat.count))
  const nodeDir = seat === undefined ? config.nodeDir : workerFolder(config.dataDir, seat.number)
  const gateway = await serve({ ...config, nodeDir }, version, consoleDirectory, machine)
  endOnFault(gateway, config.SHUTDOWN_TIMEOUT * 1000 + closingLimitMs)
  endWhenLost(gateway)
  const notes = linesOf(gateway)
  if (machine === undefined) {
    stopOnSignal(gateway)
    for (const line of notes) process.stdout.write(`${line}\n`)
  } else serveMachine(gateway, machine, notes)
}

/** Lines that the operator reads of a start. */
function linesOf({ url, setupCode }: RunningGateway): readonly string[] {
  const setup = `set-up code ${setupCode} (${url}/setup asks for it from other machines)`
  return [`Tollgate ${version} is running at ${url}`, ...(setupCode === undefined ? [] : [setup])]
}

/**
 * A worker ends when its supervisor says so. A terminal sends its signals to every process, and the supervisor alone heeds them; a service
 * manager sends SIGTERM to every process.
 */
function serveMachine({ shutdown }: RunningGateway, machine: Machine, notes: readonly string[]): void {
  const stop = () => shutdown.stop().then(() => process.exit(), fail)
  process.on('SIGTERM', () => machine.signalled())
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  void machine.stopped.then(stop)
  machine.listening(machine.seat.number === 1 ? notes : [])
}

const serveCommand: Command = {
  name: 'serve',
  summary: 'start the gateway and its console (default)',
  async run() {
    await runGateway()
    return undefined
  },
}

/** Runs a command with the service's settings, and leaves what it writes to the service. */
async function runCommand(command: Command, words: CommandWords): Promise<number | undefined> {
  takeServiceEnvironment(command === serveCommand, words.values[environmentOption])
  const dataDir = dataFolder()
  const use = command === serveCommand ? 'serves' : command.writesData === true ? 'writes' : 'reads'
  return await keepingOwner(dataDir, use, () => command.run(words))
}

/** A command that nobody told where the data is looks for the service of this machine. */
function takeServiceEnvironment(isServe: boolean, named: string | undefined): void {
  const { DATA_DIR, DATABASE_URL } = process.env
  const isPlaced = isServe || Boolean(DATA_DIR || DATABASE_URL) || existsSync(defaultDataDir)
  const file = named ?? (isPlaced ? undefined : findUnit())
  if (file === undefined) return
  Object.assign(process.env, readServiceEnvironment(file))
  if (named === undefined) process.stderr.write(`tollgate: using the settings of ${file}\n`)
}

async function main(): Promise<void> {
  process.umask(ownerOnly)
  const args = process.argv.slice(2)
  const line = readCommandLine([serveCommand, ...(await loadCommands(args, serveCommand.name))], args)
  switch (line.kind) {
    case 'help':
      process.stdout.write(`${line.text}\n`)
      return
    case 'version':
      process.stdout.write(`${version}\n`)
      return
    case 'wrong':
      process.stderr.write(`tollgate: ${line.text}\n`)
      process.exit(2)
      break
    case 'command': {
      const code = await runCommand(line.command, line.words)
      if (code !== undefined) process.exit(code)
    }
  }
}

await main().catch(fail)
