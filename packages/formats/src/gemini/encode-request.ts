import { type EncodedRequest, type EncodeTarget, RequestFault } from '../canonical/codec.ts'
import type { ChatRequest, RequestOptions } from '../canonical/request.ts'
import { isObject } from '../json-value.ts'
import { lostVendorFields } from '../vendor-fields.ts'
import { encodeConfig } from './encode-config.ts'
import { encodeContents } from './encode-content.ts'
import { encodeTools } from './encode-tools.ts'
import { traitsOf } from './model.ts'

type Fields = Readonly<Record<string, unknown>>

/** A body of `generateContent`. The model and whether to stream are said in its address. */
export function encodeRequest(request: ChatRequest, target: EncodeTarget): EncodedRequest {
  const traits = traitsOf(target.model)
  const dropped = new Set<string>()
  checkImages(request, target)
  const contents = encodeContents(request, traits, dropped)
  const config = encodeConfig(withImages(request, target), traits, dropped)
  const { safetySettings = [] } = target
  const body = {
    ...contents,
    ...encodeTools(request, dropped),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    ...(safetySettings.length > 0 && { safetySettings }),
  }
  noteOptions(request.options, dropped)
  return { body: withVendorFields(body, request, dropped), dropped: [...dropped] }
}

function checkImages({ messages }: ChatRequest, { maxImages = -1 }: EncodeTarget): void {
  const isImage = ({ type, ...part }: { readonly type: string; readonly kind?: string }) =>
    type === 'media' && part.kind === 'image'
  const beyond = messages.findIndex(({ parts }) => parts.filter(isImage).length > maxImages)
  if (maxImages < 0 || beyond < 0) return
  const message = `too many images in the message, max allowed is ${maxImages}`
  throw new RequestFault(message, `messages[${beyond}]`, 'too_many_images')
}

/** A model that draws does so only when pictures are asked for by name. */
function withImages(request: ChatRequest, { generatesImages = false }: EncodeTarget): ChatRequest {
  const { options } = request
  if (!generatesImages || options.modalities !== undefined) return request
  return { ...request, options: { ...options, modalities: ['text', 'image'] } }
}

const usualTiers: ReadonlySet<string> = new Set(['auto', 'default', 'standard'])

function noteOptions(options: RequestOptions, dropped: Set<string>): void {
  const { user, metadata, promptCacheKey, verbosity, serviceTier } = options
  for (const [name, value] of Object.entries({ user, metadata, promptCacheKey, verbosity }))
    if (value !== undefined) dropped.add(name)
  if (serviceTier !== undefined && !usualTiers.has(serviceTier)) dropped.add('serviceTier')
}

/** What came from a caller of this format goes back to its place; of other formats it is left out, and said so. */
function withVendorFields(body: Fields, { vendor }: ChatRequest, dropped: Set<string>): Fields {
  for (const name of lostVendorFields(vendor, 'gemini')) dropped.add(name)
  if (vendor?.format !== 'gemini') return body
  const out: Record<string, unknown> = { ...body }
  for (const [path, value] of Object.entries(vendor.fields)) {
    if (path.includes('[')) dropped.add(path)
    else putAt(out, path.split('.'), value)
  }
  return out
}

/** Never over what the request itself says. */
function putAt(holder: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const [step, ...others] = steps
  if (step === undefined || step === '__proto__') return
  if (others.length === 0) {
    if (!Object.hasOwn(holder, step)) holder[step] = value
    return
  }
  const inner: Record<string, unknown> = { ...(isObject(holder[step]) ? holder[step] : {}) }
  putAt(inner, others, value)
  holder[step] = inner
}
