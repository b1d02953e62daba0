import { RequestFault } from '../canonical/codec.ts'
import { isObject, type JsonObject, objectOf, parseJson } from '../json-value.ts'

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
  if (name === '') throw invalidField(field)
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

function invalidField(field: string): RequestFault {
  return new RequestFault(`the form has a field that is none: ${field.slice(0, 100)}`, null, 'invalid_form')
}
