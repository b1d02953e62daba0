import { RequestFault } from '../canonical/codec.ts'
import type { Prompt } from '../canonical/prompt.ts'
import type { AssistantPart, ChatRequest, Message, TextPart } from '../canonical/request.ts'
import { sourcePathOf, withSourcePath } from './caller-field-names.ts'

const summaryHead = 'The conversation before this point was compacted. Its summary:\n\n'

/** The text by which a conversation goes on from its summary. */
export function compactedText(summary: string): string {
  return `${summaryHead}${summary}`
}

/** Begins as the marks of `foreign-signatures.ts` do, by which a body that may hold one is known. */
const summaryMark = 'tollgate.summary.'

/** A summary of the gateway's as the opaque value of an item, which clients send back unread. */
export function wrapSummary(summary: string): string {
  return `${summaryMark}${summary}`
}

/** The summary in an opaque value; `undefined` when a vendor made it. */
export function unwrapSummary(opaque: string): string | undefined {
  return opaque.startsWith(summaryMark) ? opaque.slice(summaryMark.length) : undefined
}

const summaryRequest = [
  'Summarize the conversation so far, so that another model can go on with the task from your summary alone.',
  'Quote what the user asked for and every constraint. Say what was done and decided, which files, commands, names and values',
  'matter, what is still to be done, and what comes next. Answer with the summary and nothing else, and call no tools.',
].join(' ')

/** The request for a summary of a conversation. Tools stay declared, because the conversation contains calls of them. */
export function summarizing(request: ChatRequest): ChatRequest {
  const { outputFormat: _format, toolChoice: _choice, parallelToolCalls: _parallel, ...retained } = request
  return {
    ...retained,
    messages: [...request.messages, { role: 'user', parts: [{ type: 'text', text: summaryRequest }] }],
    ...(request.tools.length > 0 && { toolChoice: { type: 'none' } }),
  }
}

/** Returns a prompt with what its conversation gets to be summarized. */
export function promptToSummarize(prompt: Prompt): Prompt {
  return { ...prompt, texts: [...prompt.texts, summaryRequest] }
}

/** A summary that only its own vendor can read stands for the conversation before it: without it, that is lost. */
export function unreadableSummary(param: string, type: string): RequestFault {
  const message =
    `${param} (${type}) is not supported by this model's provider: it holds the conversation before it in a form ` +
    'that only the provider that made it can read. Send the messages themselves, or use a model of that provider.'
  return new RequestFault(message, param, 'unsupported_parameter')
}

/** The conversation from its latest summary on, which the user now says; instructions stay. */
export function sinceSummary(
  messages: readonly Message[],
  summaries: ReadonlySet<TextPart>,
): readonly Message[] {
  if (summaries.size === 0) return messages
  const isSummary = (part: Message['parts'][number]) => part.type === 'text' && summaries.has(part)
  const at = messages.findLastIndex(({ parts }) => parts.some(isSummary))
  const message = messages[at]
  if (message?.role !== 'assistant') return messages
  const position = message.parts.findLastIndex(isSummary)
  return [
    ...messages.slice(0, at).filter(({ role }) => role === 'system'),
    userSays(message.parts.slice(position, position + 1)),
    ...assistantSays(message, message.parts.slice(position + 1)),
    ...messages.slice(at + 1),
  ]
}

function userSays(parts: readonly AssistantPart[]): Message {
  const texts = parts.filter((part) => part.type === 'text')
  return withSourcePath({ role: 'user', parts: texts }, sourcePathOf(texts[0]))
}

function assistantSays(message: Message, parts: readonly AssistantPart[]): readonly Message[] {
  return parts.length === 0 ? [] : [withSourcePath({ role: 'assistant', parts }, sourcePathOf(message))]
}
