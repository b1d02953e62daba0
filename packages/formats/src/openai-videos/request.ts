import { RequestFault } from '../canonical/codec.ts'
import { isObject, type JsonObject, objectOf, parseJson, textOf } from '../json/value.ts'
import { checkModel, invalidField, missingField } from '../openai-chat/request/inspect.ts'
import {
  type Checks,
  integer,
  invalid,
  isAbsent,
  object,
  type Read,
  type RequestError,
  requireFields,
  text,
  wrongType,
} from '../requests/fields.ts'

/** A part of a form: a text, or a file as a data URL. */
export interface VideoFormField {
  readonly name: string
  readonly text: string
}

const numbers = new Set(['seed', 'width', 'height', 'n'])
const files = new Set(['input_reference', 'image', 'images'])

/**
 * The fields of a form as the JSON body that says the same: numbers and objects are texts there, and members of objects
 * and lists are fields with brackets (`input_reference[image_url]`, `images[]`).
 * @throws RequestFault for a field of no form that could be meant
 */
export function videoFields(fields: readonly VideoFormField[]): JsonObject {
  const body: Record<string, unknown> = Object.create(null)
  for (const { name, text } of fields) addField(body, name, text)
  return { ...body }
}

function addField(body: Record<string, unknown>, field: string, text: string): void {
  const [, name = '', , member = ''] = /^([^[\]]+)(\[([^[\]]*)\])?$/.exec(field) ?? []
  if (name === '') throw unknownFormField(field)
  if (member !== '' && !/^\d+$/.test(member)) body[name] = { ...objectOf(body[name]), [member]: text }
  else if (files.has(name)) body[name] = [...listIn(body[name]), fieldValue(name, text)]
  else body[name] = fieldValue(name, text)
}

function listIn(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function fieldValue(name: string, text: string): unknown {
  if (numbers.has(name)) return /^-?\d{1,17}(\.\d+)?$/.test(text) ? Number(text) : text
  if (name !== 'metadata' && !(files.has(name) && text.startsWith('{'))) return text
  const value = parseJson(text)
  if (isObject(value)) return value
  throw new RequestFault(`${name} is invalid: it must be a JSON object`, name, 'invalid_type')
}

function unknownFormField(field: string): RequestFault {
  return new RequestFault(`the form has a field that is none: ${field.slice(0, 100)}`, null, 'invalid_form')
}

const maxImages = 16

/**
 * Images of a request: `input_reference`, `image` and `images`, in this order. Each is a text, an object with a text in
 * it, or a list of these.
 * @throws RequestFault for what is neither an address nor a data URL
 */
function imagesOf(body: JsonObject): readonly string[] {
  const images = ['input_reference', 'image', 'images'].flatMap((field) => imagesIn(body[field], field))
  if (images.length <= maxImages) return images
  throw new RequestFault(`images has more than ${maxImages} images: send fewer`, 'images', 'invalid_value')
}

function imagesIn(value: unknown, field: string): readonly string[] {
  if (isAbsent(value) || value === '') return []
  if (Array.isArray(value))
    return value.flatMap((item) => (Array.isArray(item) ? [imageIn(item, field)] : imagesIn(item, field)))
  return [imageIn(value, field)]
}

function imageIn(value: unknown, field: string): string {
  if (isObject(value) && typeof value.file_id === 'string' && isAbsent(value.image_url))
    throw new RequestFault(
      `${field}.file_id is not supported: send the file itself, its address, or a data URL`,
      `${field}.file_id`,
      'unsupported_parameter',
    )
  const image = addressIn(value)
  if (typeof image === 'string' && isImage(image)) return image
  throw new RequestFault(
    `${field} is invalid: it must be a file, an address (https://…) or a data URL (data:image/png;base64,…)`,
    field,
    'invalid_value',
  )
}

function addressIn(value: unknown): unknown {
  if (!isObject(value)) return value
  const { image_url, url } = value
  return isObject(image_url) ? image_url.url : (image_url ?? url)
}

function isImage(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) || /^data:image\/[\w.+-]+;base64,[\w+/=-]/i.test(text)
}

/** A caller's request for a video, independent of the provider. */
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

/** An order and the model that takes it. */
export interface VideoRequest {
  readonly model: string
  readonly order: VideoOrder
}

const maxSeconds = 3600
const maxSide = 16_384
/** Longer than any vendor takes. */
const maxPromptLength = 100_000
/** The default of OpenAI's own API. */
const defaultModel = 'sora-2'

const seconds: Read = (value, param) => {
  const number = typeof value === 'string' && /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || number <= 0 || number > maxSeconds)
    throw invalid(param, 'it must be a number of seconds, such as "8"')
}

const size: Read = (value, param) => {
  if (typeof value !== 'string' || (value !== 'auto' && sidesOf(value) === undefined))
    throw invalid(param, 'it must be width and height in pixels, such as "1280x720"')
}

const one: Read = (value, param) => {
  if (value !== 1) throw invalid(param, 'one video is made at a time')
}

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

/** Fields that `VideoOrder` covers, or that no upstream receives. */
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
    return missingField('prompt', 'prompt is required: say what the video is to show')
  if (typeof prompt !== 'string') return wrongType('prompt', 'a text')
  return prompt.length > maxPromptLength
    ? invalidField('prompt', `prompt must have at most ${maxPromptLength} characters`)
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

/** `undefined` for `auto`, and for an invalid size. */
function sidesOf(size: string): VideoOrder['size'] {
  const [, width, height] = /^([1-9]\d{0,4})[xX*]([1-9]\d{0,4})$/.exec(size) ?? []
  const sides = { width: Number(width), height: Number(height) }
  return sides.width <= maxSide && sides.height <= maxSide ? sides : undefined
}
