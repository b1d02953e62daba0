import { geminiCliRequest } from '../dialects/agent-requests.ts'
import { dialectCalls } from '../dialects/dialect-calls.ts'
import { type Agent, eventsIn, toolResult } from './agent.ts'

interface Chunk {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly Part[] } }[]
}

interface Part {
  readonly text?: string
  readonly thought?: boolean
  readonly functionCall?: Call
}

interface Call {
  readonly id?: string
  readonly name: string
}

/** It drops the texts of reasoning and returns the signatures; it gives an id to a call without one. */
export const geminiCli: Agent = {
  name: 'Gemini CLI',
  dialect: dialectCalls[3],
  tool: { name: 'run_shell_command', arguments: { command: 'ls', directory: null } },
  keepsSignaturesOf: ['gemini'],
  request: geminiCliRequest,
  turnsAfter(reply) {
    const parts = eventsIn<Chunk>(reply)
      .flatMap(({ candidates = [] }) => candidates.flatMap(({ content }) => content?.parts ?? []))
      .filter(({ thought }) => thought !== true)
      .map((part, index) =>
        part.functionCall === undefined ? part : { ...part, functionCall: named(part.functionCall, index) },
      )
    return [
      { role: 'model', parts },
      { role: 'user', parts: parts.flatMap(({ functionCall }) => resultOf(functionCall)) },
    ]
  },
}

function named(call: Call, position: number): Call {
  return { id: `${call.name}-1732300000000-${position}`, ...call }
}

function resultOf(call: Call | undefined): readonly object[] {
  if (call === undefined) return []
  const { id, name } = call
  return [{ functionResponse: { id, name, response: { output: toolResult } } }]
}
