import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ScriptedBehaviour, says } from '../support/protocols/scripted-upstream.ts'
import type { Client } from './programs.ts'
import { runBounded } from './run-bounded.ts'

/** Starts of programs take seconds on a busy machine; nothing here takes longer. */
const clientMs = 90_000

const finalText = 'The till rings once, and 全 is well.'
const content = 'made by a tool call'

export interface Task {
  readonly client: Client
  readonly command: string
  readonly gatewayUrl: string
  readonly key: string
  /** Sets the upstream's responses. */
  script(behaviour: ScriptedBehaviour): void
}

/** Runs one prompt to its end. Returns the failure; `undefined` when the file is written and the response is read. */
export async function runClient({
  client,
  command,
  gatewayUrl,
  key,
  script,
}: Task): Promise<string | undefined> {
  const scratch = mkdtempSync(join(tmpdir(), 'tollgate-client-'))
  const home = join(scratch, 'home')
  const folder = join(scratch, 'work')
  mkdirSync(home)
  mkdirSync(folder)
  const file = join(folder, 'note.txt')
  script(agentBehaviour(client, file))
  const { model } = client
  const prompt = `Write a note into ${file}.`
  const start = client.start({ gatewayUrl, key, home, folder, prompt, model })
  const ended = await runBounded([command, ...start.arguments], {
    cwd: folder,
    env: { ...bareEnvironment(home), ...start.env },
    timeoutMs: clientMs,
  })
  const problem = problemOf(ended.code, ended.output, file)
  rmSync(scratch, { recursive: true, force: true })
  return problem
}

/** Nothing of the tester's own; requests to other machines go to a port where nothing listens. */
function bareEnvironment(home: string): Record<string, string> {
  const nobody = 'http://127.0.0.1:9'
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TERM: 'dumb',
    CI: '1',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    HTTP_PROXY: nobody,
    HTTPS_PROXY: nobody,
    http_proxy: nobody,
    https_proxy: nobody,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  }
}

/**
 * Calls the tool in the first turn, and responds in the second one. Calls beside the conversation (titles) have no
 * tools.
 */
function agentBehaviour({ tool, toolArguments }: Client, file: string): ScriptedBehaviour {
  return (exchange) => {
    const { tools, toolTurns } = exchange.protocol.reported(exchange.call)
    const name = tools.find((each) => tool.test(each))
    if (name === undefined) return says({ text: ['A note'] })(exchange)
    if (toolTurns.length > 0) return says({ text: [finalText.slice(0, 9), finalText.slice(9)] })(exchange)
    const text = JSON.stringify(toolArguments(file, content))
    const pieces = [text.slice(0, 7), text.slice(7)]
    return says({ reasoning: ['A file ', 'it is.'], toolCalls: [{ id: 'call_0001', name, pieces }] })(
      exchange,
    )
  }
}

function problemOf(code: number | undefined, output: string, file: string): string | undefined {
  const reported = `\n${output.trim().slice(-1500)}`
  if (code === undefined) return `did not end within ${clientMs / 1000} s${reported}`
  if (!existsSync(file)) return `made no file, and ended with ${code}${reported}`
  if (readFileSync(file, 'utf8') !== content) return `wrote something else into the file${reported}`
  if (!output.includes(finalText)) return `did not show the answer, and ended with ${code}${reported}`
  return code === 0 ? undefined : `ended with ${code}${reported}`
}
