import type {
  AssistantPart,
  CacheMark,
  MediaPart,
  MediaSource,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../canonical/request.ts'
import { isObject, type JsonObject } from '../../json/value.ts'
import { base64Source } from '../../media.ts'
import { withSourcePath } from '../../requests/caller-field-names.ts'
import { compactedText, unreadableSummary } from '../../requests/compacted.ts'
import {
  defined,
  flag,
  invalid,
  list,
  object,
  optional,
  text,
  unsupportedByProvider,
} from '../../requests/fields.ts'
import { attachSignatures, type DetachedSignature } from '../../requests/foreign-signatures.ts'
import { decodeRedacted, decodeThinking } from '../blocks.ts'

/** Facts of a request that are learned while its messages are read. */
export interface DecodeContext {
  /** Names of the tools that were called, by the calls' ids. */
  readonly toolNames: Map<string, string>
  /** Blocks and fields that only this format knows and that carry no input, by their paths. */
  readonly extras: Record<string, unknown>
  /** Texts that stand for the conversation before them. */
  readonly summaries: Set<TextPart>
}

/** A content that is a text alone, as most are: it has the place of its message. */
function textAlone(text: string): readonly TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

/** A text, or a list of blocks; the text as one block. */
function blocksOf(content: unknown, param: string): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return list(content, param).map((block, index) => object(block, `${param}[${index}]`))
}

type ReadBlock<Part extends object> = (
  block: JsonObject,
  param: string,
  context: DecodeContext,
) => readonly Part[]
type BlockTable<Part extends object> = Readonly<Record<string, ReadBlock<Part>>>

/** Reads blocks by their type. `unknown` says what becomes of those that are not in the table. */
function readBlocks<Part extends object>(
  content: unknown,
  param: string,
  context: DecodeContext,
  table: BlockTable<Part>,
  unknown: ReadBlock<Part>,
): readonly Part[] {
  return blocksOf(content, param).flatMap((block, index) => {
    const at = `${param}[${index}]`
    const type = text(block.type, `${at}.type`)
    const read = Object.hasOwn(table, type) ? table[type] : undefined
    return (read ?? unknown)(block, at, context).map((part) => withSourcePath(part, at))
  })
}

/** Instructions: texts. Blocks of other types change what a tool loop may use later and are noted. */
export function decodeSystem(content: unknown, param: string, context: DecodeContext): readonly TextPart[] {
  if (typeof content === 'string') return textAlone(content)
  return readBlocks(content, param, context, { text: readText }, note)
}

/** The parts of a user's message; refuses blocks that no other format can say. */
export function decodeUser(content: unknown, param: string, context: DecodeContext): readonly UserPart[] {
  if (typeof content === 'string') return textAlone(content)
  return readBlocks<UserPart>(content, param, context, userBlocks, refuse)
}

/** Lists the blocks of the vendor's own tools as left out: the texts around them repeat their results. */
export function decodeAssistant(
  content: unknown,
  param: string,
  context: DecodeContext,
): readonly AssistantPart[] {
  if (typeof content === 'string') return textAlone(content)
  return attachSignatures(
    readBlocks<AssistantPart | DetachedSignature>(content, param, context, assistantBlocks, note),
  )
}

/** Kept beside the request for an upstream of this format, and named as dropped by others. */
const note: ReadBlock<never> = (block, param, { extras }) => {
  extras[param] = block
  return []
}

const refuse: ReadBlock<never> = (block, param) => {
  throw unsupportedByProvider(param, `it takes no content of type ${JSON.stringify(block.type)}`)
}

const readText: ReadBlock<TextPart> = (block, param) => [
  defined<TextPart>({
    type: 'text',
    text: text(block.text, `${param}.text`),
    cache: cacheMark(block, param),
  }),
]

const readImage: ReadBlock<MediaPart> = (block, param) => [
  defined<MediaPart>({
    type: 'media',
    kind: 'image',
    source: mediaSource(block, param),
    cache: cacheMark(block, param),
  }),
]

const readDocument: ReadBlock<MediaPart | TextPart> = (block, param, context) => {
  // Citations of the document are wanted, or something is said about it: no other format has a place for these.
  for (const name of ['citations', 'context'])
    if (isObject(block[name]) || typeof block[name] === 'string')
      context.extras[`${param}.${name}`] = block[name]
  const source = object(block.source, `${param}.source`)
  if (source.type === 'content')
    return readBlocks(source.content, `${param}.source.content`, context, inner, refuse)
  return [
    defined<MediaPart>({
      type: 'media',
      kind: 'document',
      source: mediaSource(block, param),
      filename: optional(block.title, `${param}.title`, text),
      cache: cacheMark(block, param),
    }),
  ]
}

/** A search result that the caller supplies: its title and source precede its texts. */
const readSearchResult: ReadBlock<TextPart> = (block, param, context) => {
  const head = [block.title, block.source].filter((line) => typeof line === 'string' && line !== '')
  const passages = readBlocks(block.content, `${param}.content`, context, { text: readText }, refuse)
  return [{ type: 'text', text: [...head, ...passages.map((passage) => passage.text)].join('\n') }]
}

const readToolResult: ReadBlock<ToolResultPart> = (block, param, context) => {
  const callId = text(block.tool_use_id, `${param}.tool_use_id`)
  const content = block.content ?? ''
  const isError = optional(block.is_error, `${param}.is_error`, flag)
  return [
    defined<ToolResultPart>({
      type: 'tool-result',
      callId,
      name: context.toolNames.get(callId),
      content: readBlocks(content, `${param}.content`, context, resultBlocks, note),
      isError: isError === true ? true : undefined,
      cache: cacheMark(block, param),
    }),
  ]
}

const readToolUse: ReadBlock<AssistantPart> = (block, param, context) => {
  const id = text(block.id, `${param}.id`)
  const name = text(block.name, `${param}.name`)
  context.toolNames.set(id, name)
  const input = object(block.input ?? {}, `${param}.input`)
  const cache = cacheMark(block, param)
  return [{ type: 'tool-call', id, name, arguments: JSON.stringify(input), ...(cache && { cache }) }]
}

/**
 * A summary in place of the conversation before it. One without a text is of a compaction that failed, and changes nothing.
 * https://platform.claude.com/docs/en/build-with-claude/compaction (2026-11-28)
 */
const readCompaction: ReadBlock<TextPart> = (block, param, context) => {
  const summary = typeof block.content === 'string' ? block.content : ''
  if (summary === '') {
    if (typeof block.encrypted_content === 'string') throw unreadableSummary(param, 'compaction')
    return note(block, param, context)
  }
  const part: TextPart = { type: 'text', text: compactedText(summary) }
  context.summaries.add(part)
  return [part]
}

/** Blocks that a tool's result or a document may contain. */
const inner = {
  text: readText,
  image: readImage,
  document: readDocument,
  search_result: readSearchResult,
} as const satisfies BlockTable<TextPart | MediaPart>

/**
 * A tool that a search of the client's found. Its vendor shows the model its definition there; in other formats all tools are there from
 * the beginning, and an empty result would say that the search found none.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool (2026-11-30)
 */
const readToolReference: ReadBlock<TextPart> = (block, param) => [
  { type: 'text', text: `The tool ${text(block.tool_name, `${param}.tool_name`)} can be called now.` },
]

const resultBlocks: BlockTable<TextPart | MediaPart> = { ...inner, tool_reference: readToolReference }

const userBlocks: BlockTable<UserPart> = { ...inner, tool_result: readToolResult }

const assistantBlocks: BlockTable<AssistantPart | DetachedSignature> = {
  text: readText,
  thinking: (block, param) => {
    text(block.thinking, `${param}.thinking`)
    return decodeThinking(block)
  },
  redacted_thinking: (block, param) => {
    text(block.data, `${param}.data`)
    return [decodeRedacted(block)]
  },
  tool_use: readToolUse,
  compaction: readCompaction,
}

function mediaSource(block: JsonObject, param: string): MediaSource {
  const at = `${param}.source`
  const source = object(block.source, at)
  const type = text(source.type, `${at}.type`)
  switch (type) {
    case 'base64':
      return base64Source({
        mediaType: text(source.media_type, `${at}.media_type`),
        data: text(source.data, `${at}.data`),
      })
    case 'url':
      return { type, url: text(source.url, `${at}.url`) }
    case 'text':
      return { type, text: text(source.data, `${at}.data`) }
    case 'file':
      return { type, format: 'anthropic-messages', id: text(source.file_id, `${at}.file_id`) }
    default:
      throw invalid(`${at}.type`, 'it must be "base64", "url", "text", "content" or "file"')
  }
}

/** `cache_control` of a block or tool; five minutes when it does not say how long. */
export function cacheMark(block: JsonObject, param: string): CacheMark | undefined {
  const control = optional(block.cache_control, `${param}.cache_control`, object)
  return control === undefined ? undefined : { ttl: control.ttl === '1h' ? '1h' : '5m' }
}
