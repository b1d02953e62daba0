import { RequestFault } from '../canonical/codec.ts'
import type { FormatName, VendorFields } from '../canonical/request.ts'
import { type JsonObject, objectOf } from '../json/value.ts'

/** Fields of one format whose loss would change the response: an upstream of another format cannot serve the call. */
const decisive: { readonly [Format in FormatName]?: ReadonlySet<string> } = {
  'openai-chat': new Set(['logit_bias', 'web_search_options', 'audio']),
  'openai-responses': new Set(['previous_response_id', 'conversation', 'prompt', 'background']),
  'anthropic-messages': new Set(['container', 'mcp_servers']),
  gemini: new Set(['cachedContent', 'cached_content']),
}

/**
 * Fields of Chat Completions that Responses has by the same name: OpenAI serves many a call of the one through the other.
 * https://platform.openai.com/docs/api-reference/responses/create (2026-11-30)
 */
const alikeInResponses: ReadonlySet<string> = new Set(['safety_identifier', 'prompt_cache_retention'])

/** The fields of a request of Chat Completions that Responses take as they are. */
export function fieldsForResponses(vendor: VendorFields | undefined): JsonObject {
  if (vendor?.format !== 'openai-chat') return {}
  return Object.fromEntries(Object.entries(vendor.fields).filter(([name]) => alikeInResponses.has(name)))
}

/**
 * Names of the fields that a request loses on its way to an upstream of another format.
 * @throws RequestFault for a field whose loss would change the response
 */
export function lostVendorFields(vendor: VendorFields | undefined, target: FormatName): readonly string[] {
  if (vendor === undefined || vendor.format === target) return []
  const carried = target === 'openai-responses' ? fieldsForResponses(vendor) : {}
  const names = Object.keys(vendor.fields).filter((name) => !Object.hasOwn(carried, name))
  const fault = names.find(
    (name) => decisive[vendor.format]?.has(name) && asksForAnything(name, vendor.fields[name]),
  )
  if (fault === undefined) return names
  const message = `${fault} is not supported: the model is served by an upstream that has no such field`
  throw new RequestFault(message, fault, 'unsupported_parameter')
}

/** Clients send what they do not use as false, as an empty text or as an empty list; no bias is an object without tokens. */
function asksForAnything(name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (name === 'logit_bias') return Object.keys(objectOf(value)).length > 0
  return value !== false && value !== ''
}
