import type { AgentTool, Json } from '../agents/agent.ts'
import { type DialectCall, dialectCalls } from '../dialects/dialect-calls.ts'
import { anthropicProtocol } from '../protocols/anthropic.ts'
import { geminiProtocol } from '../protocols/gemini.ts'
import { openAiProtocol } from '../protocols/openai.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { responsesProtocol } from '../protocols/responses.ts'
import type { Exchange } from './exchanges.ts'
import { turnsAfter } from './turns.ts'
import { type ChatFormat, type RecordedFormat, type RecordedVendor, recordedVendors } from './vendors.ts'

/** A recorded way from the first call of a tool to the text at its end: every response but the last calls. */
export interface RecordedLoop {
  readonly name: string
  readonly replies: readonly Exchange[]
}

const [openai, responses, anthropic, gemini] = dialectCalls

interface ReadBy {
  readonly dialect: DialectCall
  readonly protocol: Protocol
}

/** Readers of each format: its own callers and upstreams. */
const formats: Readonly<Record<ChatFormat, ReadBy>> = {
  chat: { dialect: openai, protocol: openAiProtocol },
  responses: { dialect: responses, protocol: responsesProtocol },
  messages: { dialect: anthropic, protocol: anthropicProtocol },
  gemini: { dialect: gemini, protocol: geminiProtocol },
}

/** Returns the readers of a chat: its own callers and upstreams. */
export function readBy({ name, vendor }: Exchange): ReadBy {
  if (!isOfChat(vendor.format)) throw new Error(`${name} is no chat`)
  return formats[vendor.format]
}

function isOfChat(format: RecordedFormat): format is ChatFormat {
  return format in formats
}

/**
 * Returns the vendor and the model with which a loop is run: its vendor's channel, for Responses one whose models have nothing else, so
 * that callers of other formats reach it, too.
 */
export function positionOf({ vendor, model }: Exchange): {
  readonly vendor: RecordedVendor
  readonly model: string
} {
  if (vendor.format !== 'responses') return { vendor, model }
  const openAi = recordedVendors.find(({ host }) => host !== undefined) ?? vendor
  return { vendor: openAi, model: 'gpt-5.2-codex' }
}

/** Every recorded response that calls tools, and the end of its loop: the file's next responses, or a text of its format. */
export function recordedLoops(exchanges: readonly Exchange[]): readonly RecordedLoop[] {
  const streams = exchanges.map(asStream).filter(({ status, isStream }) => status === 200 && isStream)
  return streams
    .filter((exchange) => exchange.before.length === 0 && callsIn(exchange).length > 0)
    .map((first) => {
      const next = streams.filter(({ before }) => before.some(({ name }) => name === first.name))
      return { name: first.name, replies: [first, ...(next.length > 0 ? next : [textFor(first, streams)])] }
    })
}

/** A buffered response of Gemini's is what one event of its stream is. */
function asStream(exchange: Exchange): Exchange {
  const { vendor, isStream, replies } = exchange
  if (isStream || vendor.format !== 'gemini') return exchange
  return {
    ...exchange,
    isStream: true,
    frames: replies.map((reply) => `data: ${JSON.stringify(reply)}\r\n\r\n`),
  }
}

function textFor({ name, vendor }: Exchange, streams: readonly Exchange[]): Exchange {
  const found = streams.find(
    (exchange) =>
      exchange.vendor.format === vendor.format && callsIn(exchange).length === 0 && textIn(exchange) !== '',
  )
  if (found === undefined) throw new Error(`no text ends the loop of ${name}`)
  return found
}

/** Returns the text without reasoning. */
export function textIn(exchange: Exchange): string {
  return textOf(readBy(exchange).dialect, exchange.frames.join(''))
}

/** The text of a stream, without the reasoning among Gemini's parts. */
export function textOf(dialect: DialectCall, stream: string): string {
  return dialect.textIn(dialect === gemini ? stream.replace(/\{[^{}]*"thought":true[^{}]*\}/g, '{}') : stream)
}

/** The calls of the caller's tools in a response. */
export function callsIn(exchange: Exchange): readonly AgentTool[] {
  const { format } = exchange.vendor
  return isOfChat(format) ? calls[format](turnsAfter(exchange) as readonly Json[]) : []
}

interface Call {
  readonly type?: string
  readonly name: string
  readonly arguments: string
  readonly input: unknown
  readonly function: { readonly name: string; readonly arguments: string }
  readonly functionCall?: { readonly name: string; readonly args: AgentTool['arguments'] }
}

const calls: Readonly<Record<ChatFormat, (turns: readonly Json[]) => readonly AgentTool[]>> = {
  chat: ([message]) =>
    listOf(message?.tool_calls).map(({ function: { name, arguments: text } }) => ({
      name,
      arguments: JSON.parse(text),
    })),
  responses: (items) =>
    listOf(items).flatMap(({ type, name, arguments: text, input }) => {
      if (type === 'custom_tool_call') return [{ name, arguments: { input } }]
      return type === 'function_call' ? [{ name, arguments: JSON.parse(text) }] : []
    }),
  messages: ([message]) =>
    listOf(message?.content).flatMap(({ type, name, input }) =>
      type === 'tool_use' ? [{ name, arguments: input as AgentTool['arguments'] }] : [],
    ),
  gemini: ([content]) =>
    listOf(content?.parts).flatMap(({ functionCall: call }) =>
      call === undefined ? [] : [{ name: call.name, arguments: call.args }],
    ),
}

function listOf(value: unknown): readonly Call[] {
  return Array.isArray(value) ? value : []
}

/** The vendor's signatures of its reasoning and its calls. */
export function proofsIn(exchange: Exchange): readonly string[] {
  const turns = JSON.stringify(turnsAfter(exchange))
  const proofs = turns.matchAll(/"(?:signature|thoughtSignature|encrypted_content)":"([^"]+)"/g)
  return [...proofs].map(([, proof = '']) => proof)
}
