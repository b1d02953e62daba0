import {
  type JsonMode,
  type RequestLimits,
  type RequestReading,
  readChatRequest,
  readCompletionRequest,
  readEmbeddingRequest,
  readRequest,
} from '../openai-chat/request.ts'
import { modeKinds } from './request-kinds.ts'

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

/** Whether requests of a mode are JSON; those of the others are forms. */
export function isJsonMode(mode: string): mode is JsonMode {
  return Object.hasOwn(readers, mode)
}
