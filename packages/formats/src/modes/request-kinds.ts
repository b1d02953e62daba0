import {
  type Checks,
  decimal,
  flag,
  integer,
  isAbsent,
  type RequestError,
  wrongType,
} from '../field-checks.ts'
import type { JsonObject } from '../json-value.ts'
import { promptOfInput } from '../openai-chat/chat-prompt.ts'
import { fieldsOf, type JsonMode, type RequestKind } from '../openai-chat/request.ts'
import { checkInput, invalid, missing } from '../openai-chat/request-checks.ts'
import { checkImageRequest, imageChecks } from './image-checks.ts'
import { promptOfRerank, promptOfSpeech } from './prompts.ts'

const rerankChecks: Checks = { top_n: integer(1, 2 ** 30), return_documents: flag }
const speechChecks: Checks = { speed: decimal(0.25, 4) }

const moderations: RequestKind = {
  mode: 'moderations',
  defaultModel: 'text-moderation-stable',
  checks: {},
  fields: fieldsOf({}, 'input'),
  streams: false,
  checkSubject: ({ input }) => checkInput(input, 'input'),
  prompt: ({ input }) => promptOfInput(input),
}

const rerank: RequestKind = {
  mode: 'rerank',
  checks: rerankChecks,
  fields: fieldsOf(rerankChecks, 'query', 'documents'),
  streams: false,
  checkSubject: (body) => checkQuery(body.query) ?? checkDocuments(body.documents),
  prompt: promptOfRerank,
}

const images: RequestKind = {
  mode: 'images',
  defaultModel: 'dall-e',
  checks: imageChecks,
  fields: fieldsOf(imageChecks, 'prompt', 'size', 'quality'),
  streams: true,
  checkSubject: (body) => checkImageRequest(body, 'dall-e'),
  prompt: ({ prompt }) => promptOfInput(prompt),
}

/** As JSON, images by their addresses; most callers send a form. */
const imageEdits: RequestKind = {
  ...images,
  mode: 'image-edits',
  fields: fieldsOf(imageChecks, 'prompt', 'image', 'images'),
  checkSubject: (body) => checkImageRequest(body, 'dall-e') ?? checkImage(body),
}

const speech: RequestKind = {
  mode: 'speech',
  defaultModel: 'tts-1',
  checks: speechChecks,
  fields: fieldsOf(speechChecks, 'input', 'response_format', 'stream_format'),
  streams: false,
  checkSubject: checkSpeech,
  prompt: (body) => promptOfSpeech(body, 'tts-1'),
}

/** Requests of the modes that are no chat, by mode. */
export const modeKinds = {
  moderations,
  rerank,
  images,
  'image-edits': imageEdits,
  speech,
} as const satisfies Partial<Record<JsonMode, RequestKind>>

function checkImage({ image, images }: JsonObject): RequestError | undefined {
  if (isAbsent(image ?? images)) return missing('image', 'field image is required: send the image to change')
  return ['string', 'object'].includes(typeof (image ?? images))
    ? undefined
    : wrongType('image', 'an address, an object with one, or a list of them')
}

function checkQuery(query: unknown): RequestError | undefined {
  if (isAbsent(query) || query === '')
    return missing('query', 'field query is required: send the text to rank the documents by')
  return typeof query === 'string' ? undefined : wrongType('query', 'a text')
}

function checkDocuments(documents: unknown): RequestError | undefined {
  if (isAbsent(documents))
    return missing('documents', 'field documents is required: send the list of documents to rank')
  if (!Array.isArray(documents)) return wrongType('documents', 'a list of documents')
  if (documents.length === 0)
    return missing('documents', 'field documents is required: the list of documents is empty')
  const place = documents.findIndex((item) => isAbsent(item) || !['string', 'object'].includes(typeof item))
  return place < 0 ? undefined : wrongType(`documents[${place}]`, 'a text or an object')
}

function checkSpeech({ input, voice, response_format, stream_format }: JsonObject): RequestError | undefined {
  if (isAbsent(input) || input === '')
    return missing('input', 'field input is required: send the text to speak')
  if (typeof input !== 'string') return wrongType('input', 'a text')
  if (!isAbsent(voice) && typeof voice !== 'string' && typeof voice !== 'object')
    return wrongType('voice', 'the name of a voice')
  if (!isAbsent(response_format) && typeof response_format !== 'string')
    return wrongType('response_format', 'a text such as "mp3"')
  if (isAbsent(stream_format) || stream_format === 'audio' || stream_format === 'sse') return undefined
  return invalid('stream_format', 'stream_format is invalid: it must be "audio" or "sse"')
}
