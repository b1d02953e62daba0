import { type JsonObject, RequestFault, readDataUrl } from '@tollgate/formats'
import type { VideoOrder } from '../task.ts'

/** Lengths that a model supports, in whole seconds, ascending. */
export type Lengths = readonly number[]

/** Every whole number of seconds from the shortest to the longest. */
export function lengthsBetween(min: number, max: number): Lengths {
  return Array.from({ length: max - min + 1 }, (_, more) => min + more)
}

/** @param takes what could be said instead, as its reader may write it */
export function refusedValue(field: string, value: unknown, takes: readonly string[]): RequestFault {
  const stated = typeof value === 'string' || typeof value === 'number' ? ` ${value}` : ''
  return new RequestFault(
    `${field}${stated} is not supported by the upstream that serves the model: use ${anyOf(takes)}`,
    field,
    'invalid_value',
  )
}

function anyOf(values: readonly string[]): string {
  return values.length < 2 ? values.join() : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

/**
 * The video's length in seconds, from the upstream's own field in `metadata`, or the order's public one.
 * @param own the upstream's own field, where it counts in seconds
 * @param takes the supported lengths; absent for an unknown model, for which every whole number of seconds passes
 * @throws RequestFault for a length that the model does not support
 */
export function secondsOf(
  order: VideoOrder,
  own: string | undefined,
  takes: Lengths | undefined,
  standard: number,
): number {
  const isOwn = own !== undefined && own in order.metadata
  const stated = isOwn ? order.metadata[own] : order.seconds
  const seconds = integerOf(stated ?? standard)
  if (seconds !== undefined && seconds > 0 && takes?.includes(seconds) !== false) return seconds
  throw refusedValue(isOwn ? `metadata.${own}` : 'seconds', stated, lengthTexts(takes))
}

/** Vendors write lengths as numbers or as texts. */
function integerOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? (number as number) : undefined
}

function lengthTexts(takes: Lengths | undefined): readonly string[] {
  const [min = 1] = takes ?? []
  if (takes === undefined) return ['a whole number of seconds']
  const isRange = takes.length > 2 && takes.every((length, index) => length === min + index)
  return isRange ? [`a whole number from ${min} to ${takes.at(-1)}`] : takes.map(String)
}

/**
 * One of a few words, as `metadata` says it or the order; `undefined` when neither does.
 * @param field the public field that says it, too
 * @throws RequestFault for another word
 */
export function wordOf<const Word extends string>(
  { metadata }: VideoOrder,
  own: string,
  words: readonly Word[],
  publicly?: { readonly field: string; readonly value: string | undefined },
): Word | undefined {
  const isOwn = own in metadata
  const stated = isOwn ? metadata[own] : publicly?.value
  if (stated === undefined) return undefined
  const word = words.find((known) => known === stated)
  if (word === undefined)
    throw refusedValue(isOwn ? `metadata.${own}` : (publicly?.field ?? own), stated, words)
  return word
}

/** Sizes are multiples of blocks of pixels, so they only approach their ratio, and 1088 lines count as 1080. */
const tolerance = 0.03

/**
 * The aspect ratio of the ordered size; `undefined` without a size.
 * @param ratios the ratios that the upstream supports, as `16:9`
 * @throws RequestFault for a size of another ratio
 */
export function aspectRatioOf({ size }: VideoOrder, ratios: readonly string[]): string | undefined {
  if (size === undefined) return undefined
  const wanted = size.width / size.height
  const ratio = ratios.find((known) => Math.abs(Math.log(quotient(known) / wanted)) < tolerance)
  if (ratio !== undefined) return ratio
  throw refusedValue('size', `${size.width}x${size.height}`, [`sides in proportion ${anyOf(ratios)}`])
}

function quotient(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  return width / height
}

/** The shorter side of the size that was ordered, which vendors name a resolution by. */
export function linesOf({ size }: VideoOrder): number | undefined {
  return size && Math.min(size.width, size.height)
}

/** Lines as vendors name them. */
export function resolutionName(lines: number): string {
  return lines === 2160 ? '4k' : `${lines}p`
}

/** @throws RequestFault for more images than the upstream takes */
export function refuseImages({ images }: VideoOrder, limit: number): void {
  if (images.length <= limit) return
  const takes = limit === 0 ? 'none' : limit === 1 ? 'one image' : `at most ${limit} images`
  throw new RequestFault(
    `input_reference has ${images.length} images, which the upstream that serves the model does not take: use ${takes}`,
    'input_reference',
    'invalid_value',
  )
}

const fieldNames = { mode: 'mode', seed: 'seed', negativePrompt: 'negative_prompt' } as const

/** @throws RequestFault for a field that the upstream has no word for */
export function refuseFields(order: VideoOrder, ...fields: readonly (keyof typeof fieldNames)[]): void {
  for (const field of fields) {
    if (order[field] === undefined) continue
    const name = fieldNames[field]
    const message = `${name} is not supported by the upstream that serves the model: leave it out`
    throw new RequestFault(message, name, 'unsupported_parameter')
  }
}

/** Recognises an image that is an address; other values hold the image itself. */
export function isAddress(image: string): boolean {
  return /^https?:\/\//i.test(image)
}

/**
 * The caller's fields for the upstream, without those that name a model: the price of an order follows from the requested
 * model.
 */
export function ownFields({ metadata }: VideoOrder): JsonObject {
  const { model: _model, model_name: _modelName, req_key: _reqKey, ...own } = metadata
  return own
}

/**
 * The bytes of an image other than an address, in base64.
 * @throws RequestFault for a value that is neither an address nor a data URL
 */
export function base64Of(image: string): string {
  const data = readDataUrl(image)?.data
  if (data === undefined)
    throw new RequestFault(
      'input_reference must be an http or https address, or a data URL in base64',
      'input_reference',
      'invalid_value',
    )
  return data
}

/** Images of other ratios have about as many pixels as a 16:9 image of the same resolution. */
const areaTolerance = 0.1

/**
 * The resolution of the ordered size; `undefined` without a size.
 * @param resolutions the resolutions that the upstream supports, as `720p`, `1080P` or `4k`
 * @throws RequestFault for a size of another resolution
 */
export function resolutionOf<const Name extends string>(
  { size }: VideoOrder,
  resolutions: readonly Name[],
): Name | undefined {
  if (size === undefined) return undefined
  const lines = Math.min(size.width, size.height)
  const area = size.width * size.height
  const found =
    resolutions.find((name) => isNear(lines, linesIn(name), tolerance)) ??
    resolutions.find((name) => isNear(area, linesIn(name) ** 2 * (16 / 9), areaTolerance))
  if (found !== undefined) return found
  throw refusedValue('size', `${size.width}x${size.height}`, resolutions.map(wideSize))
}

function isNear(value: number, wanted: number, within: number): boolean {
  return Math.abs(Math.log(value / wanted)) < within
}

function linesIn(resolution: string): number {
  return resolution.toLowerCase() === '4k' ? 2160 : Number.parseInt(resolution, 10)
}

/** Returns a size that a caller could write for a resolution. */
function wideSize(resolution: string): string {
  const lines = linesIn(resolution)
  return `${Math.round((lines * 8) / 9) * 2}x${lines}`
}
