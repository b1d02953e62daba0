import { type EmbeddingRequest, listOf, objectOf, unsupported } from '@tollgate/formats'

/**
 * The inputs of upstreams that take texts alone.
 * @throws RequestFault for other inputs, and for more than the upstream takes at once
 */
export function textInputs({ inputs }: EmbeddingRequest, most: number): readonly string[] {
  if (inputs.length > most) throw unsupported('input', `the upstream takes ${most} at once`)
  return inputs.map((input) => {
    if (typeof input !== 'string') throw unsupported('input', 'the upstream takes texts alone')
    return input
  })
}

/** Vectors in the order of their places; `undefined` when there are none. */
export function vectorsIn(
  list: unknown,
  names: { readonly vector: string; readonly place: string },
): readonly (readonly number[])[] | undefined {
  const items = listOf(list)
  const vectors = new Map<unknown, readonly number[]>()
  for (const [index, item] of items.entries()) {
    const { [names.vector]: vector, [names.place]: place = index } = objectOf(item)
    if (Array.isArray(vector)) vectors.set(place, vector)
  }
  const ordered = items.flatMap((_, index) =>
    [vectors.get(index) ?? []].filter((vector) => vector.length > 0),
  )
  // A place without a vector would move those behind it.
  return items.length > 0 && ordered.length === items.length ? ordered : undefined
}

/** Names of what a caller asked for and the upstream is not told. */
export function droppedIn({ dimensions, user, vendor }: EmbeddingRequest): readonly string[] {
  return [
    ...(dimensions === undefined ? [] : ['dimensions']),
    ...(user === '' ? [] : ['user']),
    ...Object.keys(vendor),
  ]
}
