import type { AgentRequest } from '../dialects/agent-requests.ts'
import type { DialectCall } from '../dialects/dialect-calls.ts'
import type { UpstreamName } from '../protocols/upstream-channels.ts'

/** A coding agent in the loop of its tools: what it asks, and what of a response it sends back with the tool's result. */
export interface Agent {
  readonly name: string
  readonly dialect: DialectCall
  /** The tool that the model is to call, by the name that it reads. */
  readonly tool: AgentTool
  /** Vendors whose proofs come back with the next turn: some formats cannot carry what others signed. */
  readonly keepsSignaturesOf: readonly UpstreamName[]
  /** `turns` is what came after the user's question. */
  request(model: string, turns: readonly unknown[]): AgentRequest
  /** The turn of the model as the agent stores it, and its tool's result. */
  turnsAfter(reply: string): readonly unknown[]
}

export interface AgentTool {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export type Json = Readonly<Record<string, unknown>>

export const toolResult = 'README.md\nsrc'

/** The JSON of every server-sent event. */
export function eventsIn<Event = Json>(reply: string): readonly Event[] {
  return [...reply.matchAll(/^data: (\{.*\})\r?$/gm)].map(([, data = '{}']) => JSON.parse(data))
}
