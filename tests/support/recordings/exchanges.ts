import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../agents/agent.ts'
import { type RecordedFormat, type RecordedVendor, recordedVendors } from './vendors.ts'

/** One recorded response, byte for byte. */
export interface Exchange {
  /** `<folder>/<file>`, and which of its responses where the file holds several. */
  readonly name: string
  readonly vendor: RecordedVendor
  readonly model: string
  readonly isStream: boolean
  readonly status: number
  /** Parsed replies of the model: the events of a stream, or the one body. */
  readonly replies: readonly Json[]
  /** The same as bytes on the wire: framed events with the end mark, or the one body. */
  readonly frames: readonly string[]
  /** The exchanges of the same file that came before: one conversation. */
  readonly before: readonly Exchange[]
}

/** Folders that are replayed elsewhere. */
export const notOfPublicFormats: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'Converse is the format of its vendor alone: packages/providers',
  cohere: 'its formats are those of its vendor alone: packages/providers',
}

const notRecordings = ['LICENSE', 'README.md']

/** Every recorded exchange of a public format. Throws for a folder without a description. */
export function recordedExchanges(root: string): readonly Exchange[] {
  const folders = readdirSync(root).filter((name) => !notRecordings.includes(name))
  const known = new Set([...recordedVendors.map(({ folder }) => folder), ...Object.keys(notOfPublicFormats)])
  const unknown = folders.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`nothing is known of the recordings in ${unknown.join(', ')}`)
  return recordedVendors.flatMap((vendor) => exchangesOf(root, vendor))
}

function exchangesOf(root: string, vendor: RecordedVendor): readonly Exchange[] {
  const folder = join(root, vendor.folder)
  const { files = () => true } = vendor
  return readdirSync(folder)
    .filter(files)
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const name = `${vendor.folder}/${file}`
      return file.endsWith('.json') ? [completeReply(name, vendor, text)] : streams(name, vendor, text)
    })
}

function completeReply(name: string, vendor: RecordedVendor, text: string): Exchange {
  const reply = JSON.parse(text) as Json
  const failed = 'error' in reply && reply.error !== null
  // What the recordings say of themselves: both refusals came with this status.
  const status = failed ? 429 : 200
  const model = modelIn([reply]) ?? defaultModels[vendor.format]
  return { name, vendor, model, isStream: false, status, replies: [reply], frames: [text], before: [] }
}

/** A file may hold the responses of several turns, one after the other. */
function streams(name: string, vendor: RecordedVendor, text: string): readonly Exchange[] {
  const replies: { readonly lines: string[]; readonly events: Json[] }[] = []
  let isOpen = false
  for (const line of text.split('\n').filter(Boolean)) {
    const event = JSON.parse(line) as Json
    if (!isOpen) replies.push({ lines: [], events: [] })
    replies.at(-1)?.lines.push(line)
    replies.at(-1)?.events.push(event)
    isOpen = !lastEvents.has(String(event.type))
  }
  const exchanges: Exchange[] = []
  for (const [position, { lines, events }] of replies.entries())
    exchanges.push({
      name: replies.length === 1 ? name : `${name} #${position + 1}`,
      vendor,
      model: modelIn(events) ?? defaultModels[vendor.format],
      isStream: true,
      status: 200,
      replies: events,
      frames: framings[vendor.format](lines, events),
      before: [...exchanges],
    })
  return exchanges
}

const lastEvents = new Set(['message_stop', 'response.completed', 'response.incomplete', 'response.failed'])

function untilDone(lines: readonly string[]): readonly string[] {
  return [...lines, '[DONE]'].map((line) => `data: ${line}\n\n`)
}

const named = (lines: readonly string[], events: readonly Json[]) =>
  lines.map((line, index) => `event: ${events[index]?.type}\ndata: ${line}\n\n`)

/** Framings of each format's vendors, end mark included. */
const framings: Readonly<
  Record<RecordedFormat, (lines: readonly string[], events: readonly Json[]) => readonly string[]>
> = {
  chat: untilDone,
  completions: untilDone,
  embeddings: untilDone,
  rerank: untilDone,
  responses: named,
  messages: named,
  gemini: (lines) => lines.map((line) => `data: ${line}\r\n\r\n`),
}

/** Models of responses that do not name theirs. */
const defaultModels: Readonly<Record<RecordedFormat, string>> = {
  chat: 'gpt-5.5',
  completions: 'gpt-3.5-turbo-instruct',
  embeddings: 'text-embedding-3-small',
  rerank: 'Salesforce/Llama-Rank-v1',
  responses: 'gpt-5.5',
  messages: 'claude-sonnet-4-5-20250929',
  gemini: 'gemini-3-pro-preview',
}

function modelIn(replies: readonly Json[]): string | undefined {
  const positions = replies.flatMap((reply) => [reply, reply.message, reply.response]) as (Json | undefined)[]
  const names = positions.map((position) => position?.model ?? position?.modelVersion)
  return names.find((name) => typeof name === 'string' && name !== '') as string | undefined
}
