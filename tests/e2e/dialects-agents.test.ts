import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { claudeCodeRequest, geminiCliRequest } from '../support/agent-requests.ts'
import { type DialectCall, dialectForms } from '../support/dialect-calls.ts'
import { operate } from '../support/operator.ts'
import { startTollgate, type Tollgate } from '../support/server.ts'
import {
  type DialectUpstream,
  priceModels,
  startDialectUpstreams,
  type UpstreamName,
  upstreamNames,
} from '../support/upstream-channels.ts'
import type { ToldToolTurn } from '../support/upstream-protocol.ts'
import { says } from '../support/upstream-scripted.ts'

setDefaultTimeout(20_000)

let gateway: Tollgate
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  await priceModels(operator, { model: 1, completion: 1 })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})

const [, [, anthropic], [, gemini]] = dialectForms
const agents = [
  ['Claude Code', anthropic, claudeCodeRequest, { name: 'Bash', arguments: { command: 'ls' } }],
  ['Gemini CLI', gemini, geminiCliRequest, { name: 'run_shell_command', arguments: { command: 'ls' } }],
] as const satisfies readonly (readonly [
  string,
  DialectCall,
  typeof claudeCodeRequest,
  Omit<ToldToolTurn, 'result'>,
])[]

describe.each(agents)('what %s sends in its second turn', (_agent, dialect, requestFor, turn) => {
  it.each([...upstreamNames])(
    'is served by an upstream that is %s, with the turn of its tool',
    async (name) => {
      const { model, upstream } = upstreams[name]
      upstream.forget()
      upstream.otherwise(says({ text: ['Two ', 'files.'] }))
      const { path, headers, body } = requestFor(model)
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${key}` },
        body,
      })
      const text = await response.text()
      expect([response.status, dialect.errorIn(text)]).toEqual([200, undefined])
      expect(dialect.textIn(text)).toBe('Two files.')
      expect(text).toMatch(dialect.endMark)
      const [call] = upstream.calls
      expect(call && upstream.protocol.told(call).toolTurns).toMatchObject([
        { ...turn, result: expect.stringContaining('README.md') },
      ])
    },
  )
})
