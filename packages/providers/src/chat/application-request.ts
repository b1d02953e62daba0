import {
  type ChatRequest,
  type FormatName,
  type Frame,
  lostVendorFields,
  type Message,
  type Sampling,
  unsupported,
} from '@tollgate/formats'

/**
 * Names of the fields that a request loses at an application, whose own configuration decides the model and its options.
 * @param own fields of OpenAI's callers that the application knows
 * @throws RequestFault for fields whose loss would change the response: tools, schemas, stop sequences, several candidates
 */
export function droppedByApplication(
  request: ChatRequest,
  format: FormatName,
  own: readonly string[] = [],
): readonly string[] {
  const { tools, toolChoice, outputFormat, options } = request
  if (tools.length > 0 && toolChoice?.type !== 'none')
    throw unsupported('tools', 'the application has its own tools and takes none of the caller')
  if (outputFormat !== undefined && outputFormat.type !== 'text')
    throw unsupported('response_format', 'the application decides the form of its answers')
  const other = options.modalities?.find((kind) => kind !== 'text')
  if (other !== undefined) throw unsupported('modalities', `the application gives no ${other}`)
  const lost = [
    ...lostVendorFields(request.vendor, format).filter((name) => !own.includes(name)),
    ...lostSampling(request.sampling),
  ]
  if (request.maxOutputTokens !== undefined) lost.push('max_tokens')
  if (request.reasoning !== undefined) lost.push('reasoning_effort')
  return lost
}

const droppable = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
} as const

function lostSampling(sampling: Sampling): readonly string[] {
  if (sampling.stop.length > 0) throw unsupported('stop', 'the upstream takes no stop sequences')
  if (sampling.candidates > 1) throw unsupported('n', 'the upstream gives one answer to a request')
  if (sampling.logprobs !== undefined) throw unsupported('logprobs', 'the upstream gives none')
  return Object.entries(droppable).flatMap(([key, name]) =>
    sampling[key as keyof typeof droppable] === undefined ? [] : [name],
  )
}

/** The texts of one message, without its reasoning. */
export function textOfMessage({ parts }: Message, position: number): string {
  const texts = parts.map((part) => {
    if (part.type === 'text' || part.type === 'refusal') return part.text
    if (part.type === 'tool-call' || part.type === 'tool-result')
      throw unsupported(`messages[${position}]`, 'the application takes no calls of tools')
    return ''
  })
  return texts.filter((text) => text !== '').join('\n\n')
}

/**
 * A conversation as one text: the question alone where nothing else was said, each message behind the name of who said it
 * otherwise.
 */
export function conversationText(messages: readonly Message[]): string {
  const stated = messages.map((message, index) => ({
    role: message.role,
    text: textOfMessage(message, index),
  }))
  const [only] = stated
  if (stated.length === 1 && only?.role === 'user') return only.text
  return stated
    .filter(({ text }) => text !== '')
    .map(({ role, text }) => `${role.toUpperCase()}:\n${text}`)
    .join('\n\n')
}

/** The events of a buffered stream, for upstreams that always stream and callers that want no stream. */
export function eventsIn(text: string): readonly Frame[] {
  return text.split(/(?:\r\n|\r|\n){2,}/).flatMap((block) => {
    const lines = block.split(/\r\n|\r|\n/)
    const data = valuesOf(lines, 'data').join('\n')
    return data === '' ? [] : [{ event: valuesOf(lines, 'event').at(-1) ?? '', data }]
  })
}

function valuesOf(lines: readonly string[], name: string): readonly string[] {
  return lines.flatMap((line) =>
    line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
  )
}
