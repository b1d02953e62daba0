import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { runBounded } from '../clients/run-bounded.ts'
import type { Case, Outcome } from './cases.ts'

/** A driver imports for seconds and does some hundred calls. */
const driverMs = 300_000

/** Outcomes of a driver's cases, and its output. */
export interface DriverRun {
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly output: string
}

/** Runs a driver over its cases, one after the other, in an empty home and with no address but loopback. */
export async function runDriver(command: readonly string[], cases: readonly Case[]): Promise<DriverRun> {
  const home = mkdtempSync(join(tmpdir(), 'tollgate-framework-'))
  const requested = join(home, 'cases.json')
  const written = join(home, 'outcomes.jsonl')
  writeFileSync(requested, JSON.stringify(cases))
  writeFileSync(written, '')
  const bounds = { cwd: home, env: bareEnvironment(home, command[0] ?? ''), timeoutMs: driverMs }
  const { code, output } = await runBounded([...command, requested, written], bounds)
  const lines = readFileSync(written, 'utf8').trim().split('\n').filter(Boolean)
  rmSync(home, { recursive: true, force: true })
  const outcomes = lines.map((line) => JSON.parse(line) as Outcome)
  return {
    outcomes: new Map(outcomes.map((outcome) => [outcome.id, outcome])),
    output: `ended with ${code ?? 'its time over'}\n${output.trim().slice(-2000)}`,
  }
}

function bareEnvironment(home: string, program: string): Record<string, string> {
  const nobody = 'http://127.0.0.1:9'
  return {
    PATH: [dirname(program), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    CI: '1',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    PYTHONUNBUFFERED: '1',
    HTTP_PROXY: nobody,
    HTTPS_PROXY: nobody,
    http_proxy: nobody,
    https_proxy: nobody,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
    // No telemetry, and prices from the package.
    OTEL_SDK_DISABLED: 'true',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    CREWAI_DISABLE_TELEMETRY: 'true',
    CREWAI_TRACING_ENABLED: 'false',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    HAYSTACK_TELEMETRY_ENABLED: 'False',
    AGNO_TELEMETRY: 'false',
    LANGCHAIN_TRACING_V2: 'false',
  }
}
