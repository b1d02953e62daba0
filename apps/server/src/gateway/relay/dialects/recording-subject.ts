import {
  decodeTranscriptionRequest,
  type EncodeTarget,
  encodeTranscription,
  isTranscriptText,
  type Prompt,
  readTranscription,
  textOf,
  transcriptType,
  type Usage,
  usageOf,
  type WireResponse,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { audioSeconds } from '../../../billing/duration/audio-duration.ts'
import type { EncodedFiles } from '../../../upstream/call-body.ts'
import { fileBody } from '../forms/form-body.ts'
import type { Spool } from '../forms/received-form.ts'
import type { ResponseReading } from './dialect.ts'
import { type FormCall, type FormSubject, failedResponse } from './multipart-request.ts'

/** A recording to transcribe. Its token count includes the words of the transcript. */
export class RecordingSubject implements FormSubject {
  readonly output = 'text'
  readonly images = undefined
  readonly maxOutputTokens = 0
  readonly #call: FormCall
  readonly #recorded: RecordedTokens

  constructor(call: FormCall, recorded: RecordedTokens) {
    this.#call = call
    this.#recorded = recorded
  }

  /** `undefined` where its length could not be measured and is only an estimate. */
  get knownUsage(): Usage | undefined {
    return this.#usage(undefined)
  }

  /** @param heard seconds that the upstream reports */
  #usage(heard: number | undefined): Usage | undefined {
    const tokens = heardTokens(this.#recorded, heard)
    return tokens === undefined ? undefined : usageOf({ inputTokens: tokens })
  }

  prompt(): Prompt {
    const message = { role: 'user', name: '', texts: [], images: [], audioParts: 1, fileParts: 0 }
    const texts = [textOf(this.#call.checked.fields.prompt)]
    return { messages: [message], tools: [], texts, tokens: this.#recorded.tokens }
  }

  roughPromptTokens(): number {
    return this.#recorded.tokens
  }

  suits({ transcription }: Operation): boolean {
    return transcription !== undefined
  }

  encodeOwn({ transcription }: Operation, target: EncodeTarget): EncodedFiles {
    if (transcription === undefined) throw new TypeError('the upstream takes no recordings')
    const { head, file } = this.#call.checked.file
    const encoded = transcription.encodeRequest(this.#request(), target)
    return { text: fileBody(encoded, head, file), dropped: encoded.dropped }
  }

  readResponse(response: WireResponse, operation: Operation): ResponseReading {
    if (operation.transcription !== undefined) return this.#translate(response, operation)
    const format = textOf(this.#call.checked.fields.response_format)
    const reading = readTranscription(response, format, (failure) => operation.decodeError(failure))
    if (!reading.ok) return reading
    const { usage = this.#usage(reading.seconds) } = reading
    const contentType = isTranscriptText(response, format)
      ? textTypeOf(response.contentType, format)
      : undefined
    return { ...reading, usage, contentType, encode: () => response.bytes }
  }

  #request() {
    return decodeTranscriptionRequest(this.#call.checked.fields, this.#call.mode === 'translations')
  }

  #translate(response: WireResponse, operation: Operation): ResponseReading {
    const found = operation.transcription?.decodeResponse(response.json)
    const written = found && encodeTranscription(found, this.#request())
    if (found === undefined || written === undefined) return failedResponse(response, operation)
    const delivered = () => ({ text: found.text, overflowBytes: 0, toolCalls: 0 })
    const { contentType, body } = written
    return { ok: true, usage: this.#usage(found.duration), contentType, delivered, encode: () => body }
  }
}

const sendableTextType = /^(text\/(plain|vtt|srt)|application\/(x-)?subrip)\b[ -~]*$/i

/** Prevents a browser from rendering an upstream's text as a page of ours. */
function textTypeOf(upstreamType: string, format: string): string | undefined {
  return sendableTextType.test(upstreamType) ? upstreamType : transcriptType(format)
}

/** Input tokens of a recording whose upstream counts none: a thousand per minute. */
interface RecordedTokens {
  readonly tokens: number
  /** Estimated from the size alone, because the container cannot be read. */
  readonly isEstimate: boolean
  readonly fileBytes: number
}

/** 64 kbit/s: what speech is usually recorded with, or more. */
const defaultBytesPerSecond = 8000
/** 2 kbit/s: no codec uses less, so no upstream can report a longer recording. */
const lowestBytesPerSecond = 250

export async function recordedTokens(file: Spool): Promise<RecordedTokens> {
  const seconds = await audioSeconds(file)
  return {
    tokens: tokensOf(seconds ?? file.size / defaultBytesPerSecond),
    isEstimate: seconds === undefined,
    fileBytes: file.size,
  }
}

/**
 * The tokens of a recording whose upstream may report its length: of the measured and the reported length the greater, or the
 * reported one where nothing was measured; `undefined` where neither is known.
 * @param heard seconds
 */
function heardTokens(
  { tokens, isEstimate, fileBytes }: RecordedTokens,
  heard: number | undefined,
): number | undefined {
  const believed = Math.min(heard ?? 0, fileBytes / lowestBytesPerSecond)
  if (!(believed > 0)) return isEstimate ? undefined : tokens
  return isEstimate ? tokensOf(believed) : Math.max(tokens, tokensOf(believed))
}

/** Seconds, rounded up. */
function tokensOf(seconds: number): number {
  return Math.round((Math.ceil(seconds) / 60) * 1000)
}
