import { isObject, type JsonObject, RequestFault } from '@tollgate/formats'
import type { VideoTerms } from '../task.ts'
import { refusedValue } from './order.ts'

/** Names in vendors' bodies of what they charge videos by, without case and separators. */
const chargedNames: readonly RegExp[] = [
  // How long it is
  /duration|seconds|frames|framerate|fps|length|interpolat/,
  // What it is like
  /resolution|quality|width|height|pixels|upscal|superres|definition|size$|^hd$|^4k$/,
  // Its sound
  /audio|sound|speech|voice|music|bgm|lipsync/,
  // How it is made
  /mode$|tier|priority|speed|turbo|steps|^(go)?fast$|tools?$|websearch|^isrec$/,
  // What it is made of: videos are charged by their length
  /^videos?(url|urls|list|file)?$|(reference|input|source|motion)video/,
]
/** Names of the number of videos; an order pays for one. */
const countNames = /^n$|count$|^num|^numberof|batch|outputs$/

/**
 * Refuses what a caller says in the vendor's own fields that changes what the vendor charges and is not part of the terms:
 * it would be made at the price of less. What is switched off costs nothing.
 * @param read fields that the terms are read from, or that are known to cost nothing, at the top of `metadata`
 * @throws RequestFault that names the field
 */
export function refuseCharged(metadata: JsonObject, read: readonly string[]): void {
  for (const [name, value] of Object.entries(metadata))
    if (!read.includes(name)) refuseIn(value, name, `metadata.${name}`)
}

function refuseIn(value: unknown, name: string, path: string): void {
  if (isOff(value)) return
  if (isCharged(bareName(name), value) || isOfVideo(name, value))
    throw new RequestFault(
      `${path} changes what the upstream charges and has no price here: leave it out`,
      path,
      'unsupported_parameter',
    )
  if (Array.isArray(value))
    for (const [position, item] of value.entries()) refuseIn(item, '', `${path}[${position}]`)
  else if (isObject(value))
    for (const [inner, item] of Object.entries(value)) refuseIn(item, inner, `${path}.${inner}`)
}

function isCharged(name: string, value: unknown): boolean {
  if (chargedNames.some((pattern) => pattern.test(name))) return true
  return countNames.test(name) && value !== 1 && value !== '1'
}

/** Lists of what a video is made of say the kind of each. */
function isOfVideo(name: string, value: unknown): boolean {
  return name === 'type' && typeof value === 'string' && /video|clip/.test(value)
}

function bareName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

const offWords: readonly unknown[] = [null, undefined, false, '', 'false', 'off', 'none']

function isOff(value: unknown): boolean {
  return offWords.includes(value)
}

/**
 * Reads from `metadata` whether the video will have sound.
 * @param own the upstream's name for the switch
 * @param isDefault whether the upstream makes it where the order says nothing
 * @throws RequestFault for what switches nothing
 */
export function soundOf(metadata: JsonObject, own: string, isDefault: boolean): VideoTerms['sound'] {
  const stated = metadata[own] ?? isDefault
  if (isOff(stated)) return undefined
  if (stated === true || stated === 'true' || stated === 'on') return isDefault ? 'usual' : 'ordered'
  throw refusedValue(`metadata.${own}`, stated, ['true', 'false'])
}

/** The terms of a video with sound, or of one without. */
export function withSound<Terms extends VideoTerms>(terms: Terms, sound: VideoTerms['sound']): Terms {
  return sound === undefined ? terms : { ...terms, sound }
}
