import {
  buildAutomaton,
  type Delivered,
  FilteredStream,
  filterBody,
  noUsage,
  type StreamReader,
  textsOf,
  type Usage,
  type WordAutomaton,
  type WordFilter,
} from '@tollgate/formats'
import type { SettingsReader } from '../../settings/settings.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { ModelRequest, RelayCall } from './call.ts'
import type { CallRequest, ResponseReading } from './dialects/dialect.ts'
import { arrayForm } from './dialects/stream-form.ts'
import { RelayError } from './relay-error.ts'

/** The operator's sensitive words, compiled for searching. */
export interface ContentFilter {
  /** The words to search prompts for; `undefined` while prompts are not filtered. */
  prompts(): WordAutomaton | undefined
  /** The same for responses. */
  responses(): WordFilter | undefined
}

interface Dependencies {
  readonly settings: SettingsReader
  readonly bus: Pick<ChangeBus, 'subscribe'>
}

/** Longest slice of compiling before calls are served in between. */
const sliceMs = 5

/** Compiles the words once per change; the previous ones apply until that is done. */
export async function createContentFilter({ settings, bus }: Dependencies): Promise<ContentFilter> {
  let words = settings.current.SensitiveWords
  let automaton = await built(words)

  async function renew(): Promise<void> {
    const changed = settings.current.SensitiveWords
    words = changed
    const next = await built(changed)
    // A later change has overtaken this one.
    if (words === changed) automaton = next
  }

  bus.subscribe('options-changed', ({ keys }) => {
    if (keys.includes('SensitiveWords')) void renew()
  })

  return {
    prompts() {
      const { CheckSensitiveEnabled, CheckSensitiveOnPromptEnabled } = settings.current
      return CheckSensitiveEnabled && CheckSensitiveOnPromptEnabled ? automaton : undefined
    },
    responses() {
      const { CheckSensitiveEnabled, CheckSensitiveOnCompletionEnabled } = settings.current
      const found = CheckSensitiveEnabled && CheckSensitiveOnCompletionEnabled ? automaton : undefined
      return found && { automaton: found, stop: settings.current.StopOnSensitiveEnabled }
    },
  }
}

/** Compiles words; `undefined` where there are none, so that a start folds no alphabet for them. */
async function built(words: readonly string[]): Promise<WordAutomaton | undefined> {
  if (words.every((word) => word === '')) return undefined
  const building = buildAutomaton(words)
  for (let since = performance.now(); ; ) {
    const { done, value } = building.next()
    if (done === true) return value
    if (performance.now() - since < sliceMs) continue
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}

/**
 * Refuses a prompt that contains a sensitive word. The error does not name the word, so that callers cannot learn the list.
 * @throws RelayError 400
 * @step
 */
export function refuseBlockedPrompt(
  { request }: Pick<RelayCall<ModelRequest>, 'request'>,
  filter: Pick<ContentFilter, 'prompts'>,
): void {
  const words = filter.prompts()
  if (words === undefined) return
  const { messages, texts } = request.prompt()
  const isBlocked = (text: string) => words.isIn(text)
  if (!texts.some(isBlocked) && !messages.some((message) => message.texts.some(isBlocked))) return
  throw new RelayError('sensitive_words_detected', 'sensitive words detected: change your prompt')
}

type Read = Extract<ResponseReading, { ok: true }>

const utf8 = new TextDecoder()
const maxFrameBytes = 16 * 1024 * 1024

/** A stream that ends before a sensitive word. */
export function filteredStream(
  reader: StreamReader,
  { format, streamForm, includeUsage }: CallRequest,
  filter: WordFilter,
): StreamReader {
  const texts = textsOf(format)
  if (texts === undefined) return reader
  const isList = streamForm === arrayForm
  return new FilteredStream(reader, { filter, texts, isList, includeUsage, maxFrameBytes })
}

/** A buffered response that ends before a sensitive word; the same reading where it contains none. */
export function filteredReading(reading: Read, { format }: CallRequest, filter: WordFilter): Read {
  const texts = textsOf(format)
  if (texts === undefined) return reading
  const filtered = (charged: Usage) => filterBody(textOf(reading.encode(charged)), texts, filter)
  const found = filtered(reading.usage ?? noUsage)
  if (found === undefined) return reading
  return {
    ...(reading.ended !== undefined && { ended: reading.ended }),
    ...(filter.stop ? stoppedCounts(reading, found.text) : countsOf(reading)),
    ok: true,
    leftOut: reading.leftOut,
    contentType: reading.contentType,
    encode: (charged) => filtered(charged)?.body ?? found.body,
  }
}

function textOf(body: Uint8Array | string): string {
  return typeof body === 'string' ? body : utf8.decode(body)
}

function countsOf(reading: Read): Pick<Read, 'usage' | 'latestUsage' | 'delivered'> {
  const { usage, latestUsage } = reading
  return { usage, latestUsage, delivered: () => reading.delivered() }
}

/** The prompt as the upstream counted it, and the remaining part of the response. */
function stoppedCounts({ usage }: Read, text: string): Omit<Read, 'ok' | 'encode'> {
  const delivered: Delivered = { text, overflowBytes: 0, toolCalls: 0 }
  return {
    usage: undefined,
    latestUsage: usage && { ...usage, outputTokens: 0, reasoningTokens: 0 },
    delivered: () => delivered,
    ended: 'sensitive_words',
  }
}
