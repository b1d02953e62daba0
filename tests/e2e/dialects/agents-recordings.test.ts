import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Agent, toolResult } from '../../support/agents/agent.ts'
import { claudeCodeOpus, claudeCodeSonnet } from '../../support/agents/claude-code.ts'
import { codex, codexLite, codexUnknown } from '../../support/agents/codex.ts'
import { geminiCli } from '../../support/agents/gemini-cli.ts'
import { openCodeGemini, openCodeMessages } from '../../support/agents/opencode.ts'
import { qwenCode } from '../../support/agents/qwen-code.ts'
import { recordedExchanges } from '../../support/recordings/exchanges.ts'
import {
  callsIn,
  positionOf,
  proofsIn,
  type RecordedLoop,
  readBy,
  recordedLoops,
  textIn,
  textOf,
} from '../../support/recordings/loops.ts'
import { type ReplayedGateway, startReplayedGateway } from '../../support/recordings/replayed-gateway.ts'

setDefaultTimeout(deadline(20_000))

/** Recordings of real vendors stay outside the repository. */
const root = process.env.TOLLGATE_RECORDINGS
const exchanges = root === undefined ? [] : recordedExchanges(root)
const loops = recordedLoops(exchanges)
const agents: readonly Agent[] = [
  claudeCodeSonnet,
  claudeCodeOpus,
  codexUnknown,
  codex,
  codexLite,
  geminiCli,
  qwenCode,
  openCodeMessages,
  openCodeGemini,
]

let replayed: ReplayedGateway

const reason = root === undefined ? ' (not run: TOLLGATE_RECORDINGS names no folder)' : ''
describe.skipIf(root === undefined)(`agents over recorded responses${reason}`, () => {
  beforeAll(async () => {
    replayed = await startReplayedGateway(exchanges)
  })
  afterAll(() => replayed?.stop())

  describe.each(agents.map((agent) => [agent.name, agent] as const))('the loop of %s', (_name, agent) => {
    const own = loopsOf(agent).map((loop) => [loop.name, loop] as const)

    it.each(own)('over %s ends with its text', async (_loop, loop) => {
      await runLoop(agent, loop)
    })

    it.each(own)('goes on at a foreign vendor after %s, without the proofs', async (_loop, loop) => {
      const turns = await runLoop(agent, loop)
      const format = loop.replies[0]?.vendor.format
      const foreign = loops.find(
        ({ replies: [first] }) => first?.vendor.format === (format === 'chat' ? 'messages' : 'chat'),
      )
      const reply = foreign?.replies.at(-1)
      if (reply === undefined) throw new Error('there is no foreign vendor')
      const { vendor, model } = positionOf(reply)
      const { call, text } = await replayed.ask(agent.request(model, turns), vendor, reply, 'event by event')
      expect(textOf(agent.dialect, text)).toBe(textIn(reply))
      const body = call.body.toString()
      for (const proof of loop.replies.flatMap(proofsIn)) expect(body).not.toContain(proof)
      expect(body).toContain(JSON.stringify(toolResult).slice(1, -1))
    })
  })
})

/** A vendor that also has the agent's own format responds in it. */
function loopsOf({ dialect }: Agent): readonly RecordedLoop[] {
  const isOwn = (loop: RecordedLoop) => loop.replies[0]?.vendor.hasResponses === true
  return dialect.name === 'responses' ? loops.filter((loop) => !isOwn(loop)) : loops
}

/** Turn by turn, as the agent stores them; the vendor gets every call with its result, and its own signatures. */
async function runLoop(agent: Agent, { replies }: RecordedLoop): Promise<readonly unknown[]> {
  const [first] = replies
  if (first === undefined) throw new Error('no answers')
  const { vendor, model } = positionOf(first)
  const { protocol, dialect } = readBy(first)
  const turns: unknown[] = []
  for (const [position, reply] of replies.entries()) {
    const before = replies.slice(0, position)
    const { call, response, text } = await replayed.ask(
      agent.request(model, turns),
      vendor,
      reply,
      'in random pieces',
    )
    expect([response.status, agent.dialect.errorIn(text)]).toEqual([200, undefined])
    expect(text).toMatch(agent.dialect.endMark)
    expect(textOf(agent.dialect, text)).toBe(textIn(reply))
    const reported = before
      .flatMap(callsIn)
      .map((each) => ({ ...each, result: expect.stringContaining(toolResult) }))
    expect(protocol.reported(call).toolTurns).toMatchObject(reported)
    if (agent.keepsSignaturesOf.includes(dialect.name))
      for (const proof of before.flatMap(proofsIn)) expect(call.body.toString()).toContain(proof)
    turns.push(...agent.turnsAfter(text))
  }
  return turns
}
