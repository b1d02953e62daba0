import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runtimeVariables } from '../../scripts/lib/launch.mjs'
import { freePort } from './network/free-port.ts'
import type { OpenSocket } from './network/open-socket.ts'
import { type ServerProcess, startServer } from './processes/server-process.ts'
import { endsWithParent, ensureProgram, programCommand, tollgateProgram } from './program.ts'
import { until } from './until.ts'

/** A Tollgate of the tests' own: the real program, as it is shipped. */
export interface Tollgate {
  /** `http://127.0.0.1:<port>`, the same over restarts. */
  readonly url: string
  readonly dataDir: string
  /** Id of the process that runs now. */
  readonly pid: number
  /** Everything it printed so far, over restarts. */
  logs(): string
  /** Sends the signal and waits for the end; returns the exit code (128 plus the signal's number after a kill). */
  kill(signal?: NodeJS.Signals): Promise<number>
  /** Starts it again over the same data and port after a `kill`: the same program, or another build of it from now on. */
  start(program?: string): Promise<void>
  /** `kill` and `start` in one; pass SIGKILL for a crash. */
  restart(signal?: NodeJS.Signals): Promise<void>
  /** Runs another command of the program over the same data, such as `audit`. */
  run(...args: readonly string[]): Promise<CommandResult>
  /** Ends it in good order and removes the data folder, when that was made here. */
  stop(): Promise<void>
}

export interface CommandResult {
  readonly code: number
  /** stdout, then stderr. */
  readonly output: string
}

export interface TollgateOptions {
  /** Added to an otherwise bare environment; nothing of the tester's own configuration gets in. */
  readonly env?: Readonly<Record<string, string>>
  /** A temporary folder by default. */
  readonly dataDir?: string
  /** A free port by default. */
  readonly port?: number
  /** Time limit of its first response. */
  readonly readyMs?: number
  /** A socket that is passed to each process, as a service manager does; `port` is its own then. */
  readonly socket?: OpenSocket
  /** Another build of the program, such as that of an earlier commit. */
  readonly program?: string
}

/** Starts the server and waits until it responds to `GET /api/status`. Throws with its output when it ends instead. */
export async function startTollgate(options: TollgateOptions = {}): Promise<Tollgate> {
  await ensureProgram()
  const ownFolder = options.dataDir === undefined ? mkdtempSync(join(tmpdir(), 'tollgate-data-')) : undefined
  const dataDir = options.dataDir ?? ownFolder ?? ''
  const port = options.socket?.port ?? options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...bareEnvironment(),
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    ...options.env,
  }
  let server: ServerProcess | undefined
  let build = options.program ?? tollgateProgram
  const logs = () => server?.printed() ?? ''

  const start = async (program = build) => {
    build = program
    const launched = await startServer(commandOf(build, [], options.socket), {
      cwd: dataDir,
      env,
      descriptor: options.socket?.descriptor,
      ...(server !== undefined && { output: server.output }),
    })
    server = launched
    await untilServing(url, launched, options.readyMs ?? 15_000).catch(async (error: Error) => {
      await launched.kill('SIGKILL')
      throw new Error(`${error.message}\n${logs()}`)
    })
  }
  const kill = async (signal?: NodeJS.Signals) => (await server?.kill(signal)) ?? 0
  const removeFolder = () => {
    if (ownFolder !== undefined)
      rmSync(ownFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }

  try {
    await start()
  } catch (error) {
    await kill('SIGKILL')
    removeFolder()
    throw error
  }
  return {
    url,
    dataDir,
    get pid() {
      return server?.pid ?? 0
    },
    logs,
    kill,
    start,
    async restart(signal) {
      await kill(signal)
      await start()
    },
    run: (...args) => runTollgate(args, env, dataDir, build),
    async stop() {
      await kill()
      removeFolder()
    },
  }
}

/**
 * Runs a command of the program to its end: `audit`, `--version`, or a server that is not meant to start.
 * @param env added to an otherwise bare environment
 * @param cwd where it runs, and so where `./data` is; by default the system's temporary folder
 */
export async function runTollgate(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = tmpdir(),
  program = tollgateProgram,
): Promise<CommandResult> {
  const command = Bun.spawn(commandOf(program, args), {
    cwd,
    env: { ...bareEnvironment(), ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([textOf(command.stdout), textOf(command.stderr)])
  return { code: await command.exited, output: stdout + stderr }
}

/** Returns the variables that any program needs, and no more. */
function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const client = process.env['TOLLGATE_TEST_UPSTREAM_HTTP']
  // No proxy is in front: nothing is waited for.
  return {
    PATH,
    HOME,
    DRAIN_SECONDS: '0',
    ...runtimeVariables,
    ...endsWithParent,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(client === undefined ? {} : { UPSTREAM_HTTP: client }),
  }
}

/**
 * The data folder is the working directory of a server, so that no `.env` of the checkout is read. A server that its test forgets ends
 * with the test's process.
 */
function commandOf(program: string, args: readonly string[], socket?: OpenSocket): string[] {
  const command = programCommand(args, program)
  return socket === undefined ? command : ['sh', '-c', passSocket, 'sh', ...command]
}

/** The process names itself as the one that the socket, its third descriptor, is for: sd_listen_fds(3). */
const passSocket = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"'

async function untilServing(url: string, server: ServerProcess, readyMs: number): Promise<void> {
  await until(async () => {
    if (server.hasEnded) throw new Error('the server ended')
    const response = await fetch(`${url}/api/status`).catch(() => undefined)
    await response?.body?.cancel()
    return response?.ok === true ? true : undefined
  }, readyMs)
}

function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text()
}
