import { RequestFault } from '../canonical/codec.ts'
import {
  type Check,
  type Checks,
  integer,
  isAbsent,
  object,
  type RequestError,
  requireFields,
  text,
  wrongType,
} from '../field-checks.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../json-value.ts'
import { checkModel, invalid, missing } from '../openai-chat/request-checks.ts'
import { imagesOf } from './images.ts'

/** A video as a caller orders it, whoever makes it. */
export interface VideoOrder {
  readonly prompt: string
  /** Addresses (http, https) or data URLs. One is the first frame, a second one the last; more are references. */
  readonly images: readonly string[]
  /** Length; the upstream's usual one when not said. */
  readonly seconds?: number
  /** Pixels, both positive; the upstream's usual ones when not said. */
  readonly size?: { readonly width: number; readonly height: number }
  /** Such as `std` or `pro`, where the upstream has modes. */
  readonly mode?: string
  readonly seed?: number
  readonly negativePrompt?: string
  /** Fields of the upstream's own, which its body gets as they are. They replace ours, but never the model. */
  readonly metadata: JsonObject
}

export interface VideoRequest {
  readonly model: string
  readonly order: VideoOrder
}

const maxSeconds = 3600
const maxSide = 16_384
/** Longer than any vendor takes. */
const maxPromptLength = 100_000
/** What OpenAI's own API takes when none is named. */
const defaultModel = 'sora-2'

const seconds: Check = (value, param) => {
  const number = typeof value === 'string' && /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : value
  const isLength = typeof number === 'number' && number > 0 && number <= maxSeconds
  return isLength
    ? undefined
    : invalid(param, `${param} is invalid: it must be a number of seconds, such as "8"`)
}

const size: Check = (value, param) =>
  typeof value === 'string' && (value === 'auto' || sidesOf(value) !== undefined)
    ? undefined
    : invalid(param, `${param} is invalid: it must be width and height in pixels, such as "1280x720"`)

const one: Check = (value, param) =>
  value === 1 ? undefined : invalid(param, `${param} is invalid: one video is made at a time`)

const side = integer(1, maxSide)
const checks: Checks = {
  seconds,
  duration: seconds,
  size,
  width: side,
  height: side,
  mode: text,
  seed: integer(0, 2 ** 53),
  negative_prompt: text,
  metadata: object,
  n: one,
}

/** Fields that have a place in the order, or that no upstream is told. */
const known = new Set([
  ...Object.keys(checks),
  'model',
  'prompt',
  'input_reference',
  'image',
  'images',
  'user',
  'stream',
  'response_format',
])

/**
 * Reads a request to make a video: OpenAI's fields, and those that callers of other makers know (`duration`, `image`,
 * `images`, `mode`, `seed`, `negative_prompt`, `width`, `height`). All others belong to the upstream, as those of
 * `metadata` do. https://platform.openai.com/docs/api-reference/videos/create
 * @throws RequestFault for the first field that is wrong
 */
export function readVideoRequest(body: unknown): VideoRequest {
  if (!isObject(body))
    throw new RequestFault('The body must be a JSON object, or a form.', null, 'invalid_type')
  const model = isAbsent(body.model) ? defaultModel : body.model
  refuse(checkModel(model))
  refuse(checkPrompt(body.prompt))
  requireFields(body, checks)
  return { model: textOf(model), order: orderOf(body) }
}

function refuse(problem: RequestError | undefined): void {
  if (problem !== undefined) throw new RequestFault(problem.message, problem.param, problem.code)
}

function checkPrompt(prompt: unknown): RequestError | undefined {
  if (isAbsent(prompt) || (typeof prompt === 'string' && prompt.trim() === ''))
    return missing('prompt', 'prompt is required: say what the video is to show')
  if (typeof prompt !== 'string') return wrongType('prompt', 'a text')
  return prompt.length > maxPromptLength
    ? invalid('prompt', `prompt must have at most ${maxPromptLength} characters`)
    : undefined
}

function orderOf(body: JsonObject): VideoOrder {
  const length = body.seconds ?? body.duration
  const sides = sizeOf(body)
  const { mode, seed, negative_prompt } = body
  return {
    prompt: textOf(body.prompt),
    images: imagesOf(body),
    ...(!isAbsent(length) && { seconds: Number(length) }),
    ...(sides !== undefined && { size: sides }),
    ...(typeof mode === 'string' && { mode }),
    ...(typeof seed === 'number' && { seed }),
    ...(typeof negative_prompt === 'string' && { negativePrompt: negative_prompt }),
    metadata: { ...unknownFields(body), ...objectOf(body.metadata) },
  }
}

function unknownFields(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !known.has(name) && !isAbsent(value)),
  )
}

function sizeOf({ size, width, height }: JsonObject): VideoOrder['size'] {
  if (typeof size === 'string') return sidesOf(size)
  if (isAbsent(width) && isAbsent(height)) return undefined
  if (typeof width === 'number' && typeof height === 'number') return { width, height }
  const absent = isAbsent(width) ? 'width' : 'height'
  throw new RequestFault(`${absent} is required beside the other one`, absent, 'missing_required_parameter')
}

/** `undefined` for `auto`, and for what is no size. */
function sidesOf(size: string): VideoOrder['size'] {
  const [, width, height] = /^([1-9]\d{0,4})[xX*]([1-9]\d{0,4})$/.exec(size) ?? []
  const sides = { width: Number(width), height: Number(height) }
  return sides.width <= maxSide && sides.height <= maxSide ? sides : undefined
}
