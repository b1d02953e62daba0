import type { Prompt } from '../canonical/prompt.ts'
import { withoutText } from '../json/number-text.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'
import { checkInput, invalidField, missingField } from '../openai-chat/request/inspect.ts'
import { promptOfInput } from '../openai-chat/request/prompt.ts'
import {
  fieldsOf,
  type JsonMode,
  type RequestKind,
  type RequestLimits,
  type RequestReading,
  readChatRequest,
  readCompletionRequest,
  readEmbeddingRequest,
  readRequest,
} from '../openai-chat/request.ts'
import {
  type Checks,
  decimal,
  flag,
  integer,
  invalid,
  isAbsent,
  type Read,
  type RequestError,
  text,
  wrongType,
} from '../requests/fields.ts'
import { maxImages } from './images.ts'

/** The query and the texts of the documents. */
function promptOfRerank({ query, documents }: JsonObject): Prompt {
  return promptOfInput([textOf(query), ...listOf(documents).map(documentText)])
}

/** Returns the text of a document, which may be an object with its text in a member of that name, or in members of its own. */
export function documentText(document: unknown): string {
  if (typeof document === 'string') return document
  const { text } = objectOf(document)
  return typeof text === 'string' ? text : JSON.stringify(document)
}

/**
 * Models that are priced by the character count each as a token; of the others, the text is tokens.
 * @param defaultModel of a request that names none
 */
function promptOfSpeech({ model, input, instructions }: JsonObject, defaultModel: string): Prompt {
  const text = textOf(input)
  if (isPricedByCharacter(textOf(model) || defaultModel))
    return { ...promptOfInput(undefined), tokens: charactersOf(text) }
  return promptOfInput([text, textOf(instructions)])
}

/** Returns whether a speech model is priced by the character. */
export function isPricedByCharacter(model: string): boolean {
  return model.startsWith('tts')
}

/** Code points: a letter outside the first plane is one character to everybody but JavaScript. */
function charactersOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** The text, and the images to change: they are most of what is read. */
function promptOfEdit({ prompt, image, images }: JsonObject): Prompt {
  const read = [image ?? images].flat().map(() => ({ detail: '', url: '' }))
  const message = { role: 'user', name: '', texts: [], images: read, audioParts: 0, fileParts: 0 }
  return { ...promptOfInput(prompt), messages: [message] }
}

const sizeText: Read = (value, param) => {
  if (typeof value !== 'string') throw wrongType(param, 'a text such as "1024x1024"')
  if (value.includes('×')) throw invalid(param, 'write it with the letter x, for example "1024x1024"')
}

export const imageChecks: Checks = {
  n: integer(1, maxImages),
  size: sizeText,
  quality: text,
  response_format: text,
  stream: flag,
}

const squares: readonly string[] = ['256x256', '512x512', '1024x1024']
const sizesOfDallE3: readonly string[] = ['1024x1024', '1024x1792', '1792x1024']

/** @param defaultModel of a request that names none */
export function checkImageRequest(body: JsonObject, defaultModel: string): RequestError | undefined {
  const { prompt, size } = body
  if (isAbsent(prompt) || prompt === '')
    return missingField('prompt', 'prompt is required: say what the image is to show')
  if (typeof prompt !== 'string') return wrongType('prompt', 'a text')
  return isAbsent(size) ? undefined : checkSize(textOf(body.model) || defaultModel, size)
}

/** The sizes that DALL·E makes; every other model's are its own to judge. */
function checkSize(model: string, size: unknown): RequestError | undefined {
  const sizes = sizesOf(model)
  if (sizes === undefined || typeof size !== 'string' || size.includes('×') || sizes.includes(size))
    return undefined
  return invalidField(
    'size',
    'size must be one of 256x256, 512x512, or 1024x1024, dall-e-3 1024x1792 or 1792x1024',
  )
}

function sizesOf(model: string): readonly string[] | undefined {
  if (model === 'dall-e-3') return sizesOfDallE3
  return model === 'dall-e' || model === 'dall-e-2' ? squares : undefined
}

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

/** Requests as JSON, with images by their addresses; most callers send a form. */
const imageEdits: RequestKind = {
  ...images,
  mode: 'image-edits',
  fields: fieldsOf(imageChecks, 'prompt', 'image', 'images'),
  checkSubject: (body) => checkImageRequest(body, 'dall-e') ?? checkImage(body),
  prompt: promptOfEdit,
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

/** Requests of the modes other than chat, by mode. */
const modeKinds = {
  moderations,
  rerank,
  images,
  'image-edits': imageEdits,
  speech,
} as const satisfies Partial<Record<JsonMode, RequestKind>>

function checkImage({ image, images }: JsonObject): RequestError | undefined {
  if (isAbsent(image ?? images))
    return missingField('image', 'field image is required: send the image to change')
  return ['string', 'object'].includes(typeof withoutText(image ?? images))
    ? undefined
    : wrongType('image', 'an address, an object with one, or a list of them')
}

function checkQuery(query: unknown): RequestError | undefined {
  if (isAbsent(query) || query === '')
    return missingField('query', 'field query is required: send the text to rank the documents by')
  return typeof query === 'string' ? undefined : wrongType('query', 'a text')
}

function checkDocuments(documents: unknown): RequestError | undefined {
  if (isAbsent(documents))
    return missingField('documents', 'field documents is required: send the list of documents to rank')
  if (!Array.isArray(documents)) return wrongType('documents', 'a list of documents')
  if (documents.length === 0)
    return missingField('documents', 'field documents is required: the list of documents is empty')
  const position = documents.findIndex(
    (item) => isAbsent(item) || !['string', 'object'].includes(typeof withoutText(item)),
  )
  return position < 0 ? undefined : wrongType(`documents[${position}]`, 'a text or an object')
}

function checkSpeech({ input, voice, response_format, stream_format }: JsonObject): RequestError | undefined {
  if (isAbsent(input) || input === '')
    return missingField('input', 'field input is required: send the text to speak')
  if (typeof input !== 'string') return wrongType('input', 'a text')
  if (!isAbsent(voice) && !['string', 'object'].includes(typeof withoutText(voice)))
    return wrongType('voice', 'the name of a voice')
  if (!isAbsent(response_format) && typeof response_format !== 'string')
    return wrongType('response_format', 'a text such as "mp3"')
  if (isAbsent(stream_format) || stream_format === 'audio' || stream_format === 'sse') return undefined
  return invalidField('stream_format', 'stream_format is invalid: it must be "audio" or "sse"')
}

type ReadRequest = (text: string, limits: RequestLimits) => RequestReading

const of =
  (mode: keyof typeof modeKinds): ReadRequest =>
  (text, limits) =>
    readRequest(text, limits, modeKinds[mode])

const readers: Readonly<Record<JsonMode, ReadRequest>> = {
  chat: readChatRequest,
  completions: readCompletionRequest,
  embeddings: readEmbeddingRequest,
  moderations: of('moderations'),
  rerank: of('rerank'),
  images: of('images'),
  'image-edits': of('image-edits'),
  speech: of('speech'),
}

/** Reads a JSON request of a mode. Never throws: what is wrong with the body is in the result. */
export function readModeRequest(mode: JsonMode, text: string, limits: RequestLimits): RequestReading {
  return readers[mode](text, limits)
}

/** Returns whether requests of a mode are JSON; those of the others are forms. */
export function isJsonMode(mode: string): mode is JsonMode {
  return Object.hasOwn(readers, mode)
}
