/** Marks fields that hold a secret, and masks them for callers who may only read. */
import { z } from 'zod'

/** Headers beside `Authorization` in which clients send their API key, by whose they are. */
export const keyHeaders = {
  anthropic: 'x-api-key',
  gemini: 'x-goog-api-key',
  microsoft: 'api-key',
  midjourney: 'mj-api-secret',
} as const

/** Replaces the hidden part of a masked key. */
export const keyMask = '**********'

const secretFields = z.registry<{ readonly secret: true }>()

/**
 * A text with which its holder can call, pay, log in or prove something. `withoutSecrets` masks it, so that a new field is
 * safe by its mark alone.
 */
export function secretText() {
  return z.string().register(secretFields, { secret: true })
}

/** Recognises a schema that is marked as a secret, beneath its wrappers. */
export function isSecretField(schema: z.core.$ZodType): boolean {
  return secretFields.has(innerOf(schema))
}

const visibleEnd = 4
/** Length of a secret from which on its hidden part cannot be guessed from the ends. */
const longEnough = 32

/** The ends of a long secret around a mask; a short one is hidden whole. What is masked already stays as it is. */
export function maskSecret(secret: string): string {
  if (secret === '' || secret.includes(keyMask)) return secret
  if (secret.length < longEnough) return keyMask
  return secret.slice(0, visibleEnd) + keyMask + secret.slice(-visibleEnd)
}

/** Replaces the secrets in a value of this schema. */
type Mask = (value: unknown) => unknown

/** The mask of each schema; `undefined` for one that holds no secret. */
const masks = new WeakMap<z.core.$ZodType, { readonly mask: Mask | undefined }>()

/** A value of the schema with every marked field masked; the value itself where nothing is marked. */
export function withoutSecrets(schema: z.core.$ZodType, value: unknown): unknown {
  return maskOf(schema)?.(value) ?? value
}

function maskOf(schema: z.core.$ZodType): Mask | undefined {
  const known = masks.get(schema)
  if (known !== undefined) return known.mask
  const mask = newMask(schema)
  masks.set(schema, { mask })
  return mask
}

function newMask(wrapped: z.core.$ZodType): Mask | undefined {
  const schema = innerOf(wrapped)
  if (secretFields.has(schema)) return (value) => (typeof value === 'string' ? maskSecret(value) : value)
  if (schema instanceof z.ZodObject) return objectMask(schema)
  if (schema instanceof z.ZodArray) return eachItem(maskOf(schema.element))
  if (schema instanceof z.ZodRecord) return eachMember(maskOf(schema.valueType))
  if (schema instanceof z.ZodUnion) return everyOption(schema.options.map(maskOf))
  return undefined
}

function objectMask(schema: z.ZodObject): Mask | undefined {
  const fields = Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) => {
    const mask = maskOf(field)
    return mask === undefined ? [] : [{ name, mask }]
  })
  if (fields.length === 0) return undefined
  return (value) => {
    if (!isRecord(value)) return value
    const masked = { ...value }
    for (const { name, mask } of fields) if (name in masked) masked[name] = mask(masked[name])
    return masked
  }
}

function eachItem(mask: Mask | undefined): Mask | undefined {
  return mask && ((value) => (Array.isArray(value) ? value.map(mask) : value))
}

function eachMember(mask: Mask | undefined): Mask | undefined {
  return (
    mask &&
    ((value) =>
      isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mask(member)]))
        : value)
  )
}

function everyOption(options: readonly (Mask | undefined)[]): Mask | undefined {
  const found = options.filter((mask) => mask !== undefined)
  return found.length === 0 ? undefined : (value) => found.reduce((masked, mask) => mask(masked), value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The schema without what makes it optional, nullable or read-only. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodDefault
  return isWrapped ? innerOf(schema.unwrap()) : schema
}
