import {
  type ChatRequest,
  type EncodedRequest,
  type JsonObject,
  lostVendorFields,
  type Message,
  unsupported,
} from '@tollgate/formats'

/** @throws RequestFault for all that is no conversation in words */
export function encodeRequest(request: ChatRequest): EncodedRequest {
  const dropped = new Set<string>(lostVendorFields(request.vendor, 'provider:palm'))
  refuseBeyondText(request)
  noteLost(request, dropped)
  const { sampling, messages } = request
  const context = messages.flatMap((message) =>
    message.role === 'system' ? [textOf(message, messages)] : [],
  )
  const prompt = {
    ...(context.length > 0 && { context: context.join('\n') }),
    messages: turnsOf(messages),
  }
  const { temperature, topP, topK, candidates } = sampling
  const body = {
    prompt,
    ...(temperature !== undefined && { temperature: Math.min(Math.max(temperature, 0), 1) }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    candidateCount: candidates,
  }
  return { body, dropped: [...dropped] }
}

const mostCandidates = 8

function refuseBeyondText({ tools, outputFormat, sampling, options }: ChatRequest): void {
  if (tools.length > 0) throw unsupported('tools', 'the model calls no tools')
  if (outputFormat !== undefined && outputFormat.type !== 'text')
    throw unsupported('response_format', 'the model answers in words')
  if (sampling.candidates > mostCandidates)
    throw unsupported('n', `it gives ${mostCandidates} answers at most`)
  if (sampling.stop.some((sequence) => sequence !== ''))
    throw unsupported('stop', 'it takes no stop sequences')
  if (options.modalities?.some((kind) => kind !== 'text'))
    throw unsupported('modalities', 'it answers with text alone')
}

function noteLost(
  { sampling, options, reasoning, maxOutputTokens }: ChatRequest,
  dropped: Set<string>,
): void {
  const { seed, presencePenalty, frequencyPenalty, logprobs } = sampling
  const { user, metadata, serviceTier, promptCacheKey, verbosity } = options
  const lost = { seed, presencePenalty, frequencyPenalty, logprobs, reasoning, maxOutputTokens }
  const steering = { user, metadata, serviceTier, promptCacheKey, verbosity }
  for (const [name, value] of Object.entries({ ...lost, ...steering }))
    if (value !== undefined) dropped.add(name)
}

const authors = { user: '0', assistant: '1' } as const

/** Neighbours of one author as one message: the two take turns. */
function turnsOf(messages: readonly Message[]): readonly JsonObject[] {
  const turns: { author: string; content: string }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const author = authors[message.role]
    const content = textOf(message, messages)
    const last = turns.at(-1)
    if (content === '') continue
    if (last?.author === author) last.content += `\n${content}`
    else turns.push({ author, content })
  }
  if (turns.length === 0) throw unsupported('messages', 'it needs a message of the user')
  return turns
}

function textOf(message: Message, messages: readonly Message[]): string {
  const texts = message.parts.map((part, at) => {
    if (part.type === 'text' || part.type === 'refusal') return part.text
    // Thoughts are no input.
    if (part.type === 'reasoning') return ''
    throw unsupported(
      `messages[${messages.indexOf(message)}].content[${at}]`,
      'the model reads and writes words alone',
    )
  })
  return texts.filter((text) => text !== '').join('\n')
}
