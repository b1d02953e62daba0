import { type EmbeddingRequest, listOf, objectOf, RequestFault } from '@tollgate/formats'

/**
 * The inputs of a call for an upstream that takes texts.
 * @param max as many as it takes at once
 * @throws RequestFault for numbers of tokens, for images, and for more inputs than that
 */
export function textInputs({ inputs }: EmbeddingRequest, max: number): readonly string[] {
  const texts = inputs.filter((input) => typeof input === 'string')
  if (texts.length < inputs.length) throw refused("the model's upstream takes texts")
  if (texts.length <= max) return texts
  throw refused(`the model's upstream takes ${max === 1 ? 'one text' : `${max} texts`} to a request`)
}

function refused(why: string): RequestFault {
  return new RequestFault(`input is not supported: ${why}`, 'input', 'unsupported_parameter')
}

/** A vector as an upstream sent it; `undefined` for any other value. */
export function vectorOf(value: unknown): readonly number[] | undefined {
  const isVector = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
  return isVector ? value : undefined
}

/** All of the vectors, or `undefined` when one is invalid. */
export function vectorsOf(values: readonly unknown[]): readonly (readonly number[])[] | undefined {
  const vectors = values.map(vectorOf).filter((vector) => vector !== undefined)
  return vectors.length === values.length && vectors.length > 0 ? vectors : undefined
}

/** Vectors in the order of their places; `undefined` without any. */
export function vectorsIn(
  list: unknown,
  names: { readonly vector: string; readonly position: string },
): readonly (readonly number[])[] | undefined {
  const items = listOf(list)
  const vectors = new Map<unknown, readonly number[]>()
  for (const [index, item] of items.entries()) {
    const { [names.vector]: vector, [names.position]: position = index } = objectOf(item)
    if (Array.isArray(vector)) vectors.set(position, vector)
  }
  const ordered = items.flatMap((_, index) =>
    [vectors.get(index) ?? []].filter((vector) => vector.length > 0),
  )
  // A place without a vector would move those behind it.
  return items.length > 0 && ordered.length === items.length ? ordered : undefined
}

/** Names of the caller's fields that the upstream does not receive. */
export function droppedEmbeddingOptions({ dimensions, user, vendor }: EmbeddingRequest): readonly string[] {
  return [
    ...(dimensions === undefined ? [] : ['dimensions']),
    ...(user === '' ? [] : ['user']),
    ...Object.keys(vendor),
  ]
}
